import type { Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { RunCopy, RunId, RunName } from '../model.ts'
import { type DocumentRow, readRow } from './document-row.ts'
import { DOCUMENT } from './documents.ts'

/** In the order of the signing line; those of parties that only receive them come last. */
const IN_LINE = 'order by run_id, position nulls last, id'

export async function listRunCopies(
  read: Read,
  serviceId: ServiceId,
  runs: readonly RunId[],
): Promise<readonly RunCopy[]> {
  if (runs.length === 0) return []
  const sql = `select ${DOCUMENT} from documents_service.document where service_id = $1 and run_id = any($2::uuid[]) ${IN_LINE}`
  return (await runStatement<DocumentRow>(read, sql, [serviceId, runs])).map(readCopy)
}

/** FOR UPDATE, after the run. */
export async function lockRunCopies(tx: Tx, { serviceId, runId }: RunName): Promise<readonly RunCopy[]> {
  const sql = `select ${DOCUMENT} from documents_service.document where service_id = $1 and run_id = $2 ${IN_LINE} for update`
  return (await runStatement<DocumentRow>(tx, sql, [serviceId, runId])).map(readCopy)
}

/** The company's own copies that it has to sign or accept now, the longest waiting first. */
export async function listOwnSignatures(
  read: Read,
  services: readonly ServiceId[],
  limit: number,
): Promise<readonly { readonly serviceId: ServiceId; readonly id: string; readonly since: Instant }[]> {
  return runStatement<{ serviceId: ServiceId; id: string; since: Instant }>(
    read,
    `select service_id as "serviceId", id, round(extract(epoch from updated_at) * 1000)::float8 as since
    from documents_service.document
    where service_id = any($1::uuid[]) and recipient = 'owner' and status in ('offering', 'ready_to_sign')
    order by updated_at limit $2`,
    [services, limit],
  )
}

function readCopy(row: DocumentRow): RunCopy {
  const { runId, outputKey, partyKey, ...document } = readRow(row)
  if (runId === null || outputKey === null || partyKey === null) throw new Error(`document ${document.id} is of no run`)
  return { ...document, runId, outputKey, partyKey }
}
