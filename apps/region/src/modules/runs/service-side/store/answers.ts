import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { RunName, StoredAnswer } from '../model.ts'

export async function insertAnswers(
  tx: Tx,
  { serviceId, id }: RunName,
  answers: readonly StoredAnswer[],
): Promise<void> {
  if (answers.length === 0) return
  await runStatement(
    tx,
    `insert into flows_service.answer (service_id, run_id, slug, party_key, value, is_private, is_linked, attested,
      file_id, at)
    select $1, $2, slug, party_key, value, is_private, is_linked, attested, file_id, to_timestamp(at / 1000.0)
    from unnest($3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[], $8::jsonb[], $9::text[], $10::float8[])
      as a (slug, party_key, value, is_private, is_linked, attested, file_id, at)`,
    [
      serviceId,
      id,
      answers.map(({ slug }) => slug),
      answers.map(({ partyKey }) => partyKey),
      answers.map(({ value }) => value),
      answers.map(({ isPrivate }) => isPrivate),
      answers.map(({ isLinked }) => isLinked),
      answers.map(({ attested }) => (attested === null ? null : JSON.stringify(attested))),
      answers.map(({ file }) => file),
      answers.map(({ at }) => at),
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
