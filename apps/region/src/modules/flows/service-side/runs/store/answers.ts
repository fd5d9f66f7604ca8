import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { RunName, StoredAnswer } from '../model.ts'

export async function insertAnswer(tx: Tx, { serviceId, id }: RunName, answer: StoredAnswer): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_service.answer (service_id, run_id, slug, party_key, value, is_private, is_linked, attested,
      file_id, at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10 / 1000.0))`,
    [
      serviceId,
      id,
      answer.slug,
      answer.partyKey,
      answer.value,
      answer.isPrivate,
      answer.isLinked,
      answer.attested,
      answer.file,
      answer.at,
    ],
  )
}

/** In the order in which they were given. */
export function listAnswers(read: Read, { serviceId, id }: RunName): Promise<readonly StoredAnswer[]> {
  return runStatement<StoredAnswer & Record<string, unknown>>(
    read,
    `select slug, party_key as "partyKey", value, is_private as "isPrivate", is_linked as "isLinked", attested,
      file_id as file, round(extract(epoch from at) * 1000)::float8 as at
    from flows_service.answer where service_id = $1 and run_id = $2 order by answer.at, slug`,
    [serviceId, id],
  )
}

export async function deleteAnswers(tx: Tx, { serviceId, id }: RunName): Promise<void> {
  await runStatement(tx, 'delete from flows_service.answer where service_id = $1 and run_id = $2', [serviceId, id])
}
