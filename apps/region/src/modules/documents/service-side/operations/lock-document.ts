import type { Tx } from '@sealpost/postgres'
import { lockConnection, type StoredConnection } from '../../../connections/index.ts'
import { lockService } from '../../../services/index.ts'
import type { LockedRun, ServiceSideContext } from '../context.ts'
import type { DocumentName, Recipient, Signature, StoredDocument } from '../model.ts'
import { findDocument, lockDocument } from '../store/documents.ts'
import { listSignatures } from '../store/signatures.ts'

export interface Locked {
  readonly document: StoredDocument
  /** Null for a broadcast, and when the connection has ended. */
  readonly connection: StoredConnection | null
  readonly signatures: readonly Signature[]
  /** Null for a document of no run. */
  readonly run: LockedRun | null
}

/**
 * Locks for a change, in the order service, connection, run, document. The connection and the run of a document never
 * change, so they may be read before the lock. A broadcast locks its service: see `createDocument`.
 */
export async function lockForChange(
  { runs }: Pick<ServiceSideContext, 'runs'>,
  tx: Tx,
  { serviceId, id }: DocumentName,
): Promise<Locked | null> {
  const found = await findDocument(tx, { serviceId, id })
  if (found === null) return null
  if (found.recipient === 'broadcast') await lockService(tx, found.companyId, serviceId)
  const run = found.runId === null ? null : await runs.lock(tx, { serviceId, runId: found.runId })
  const connection = found.customer === null ? null : await lockConnection(tx, serviceId, found.customer.connectionId)
  const document = await lockDocument(tx, { serviceId, id })
  if (document === null) return null
  return { document, connection, signatures: await listSignatures(tx, serviceId, [id]), run }
}

/** Events about the company's own copy of a run name the primary customer. */
export function namedCustomer(
  { customer }: Pick<StoredDocument, 'customer'>,
  run: Pick<LockedRun, 'primary'> | null,
): Recipient | null {
  return customer ?? run?.primary ?? null
}
