import { createHash } from 'node:crypto'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { ActRefusal, DocumentAct } from '@sealpost/protocol'
import { lockConnection, type StoredConnection } from '../../../connections/index.ts'
import { keepObject } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ActRequest, CustomerDocument, PreparedSeal, SealId, Signature, StoredDocument } from '../model.ts'
import { decideAct, needsSeal, signatureOf } from '../rules/acts.ts'
import { statusEvent } from '../rules/events.ts'
import { lockDocument } from '../store/documents.ts'
import { takePreparedSeal } from '../store/prepared-seals.ts'
import { insertSignature, listSignatures } from '../store/signatures.ts'
import { recordChange } from './record-change.ts'

export interface Acted {
  readonly document: CustomerDocument
  readonly signatures: readonly Signature[]
}

/** This side decides: acts, edits and the end of the connection meet at the lock of the connection, and one comes first. */
export async function actOnDocument(
  context: ServiceSideContext,
  tx: Tx,
  request: ActRequest,
  sealId: SealId | null,
): Promise<Result<Acted, ActRefusal>> {
  const connection = await lockConnection(tx, request.serviceId, request.connectionId)
  if (connection === null || !isAskedFor(connection, request)) return decline('not_found')
  const before = await lockDocument(tx, { serviceId: request.serviceId, id: request.documentId })
  if (!isOf(before, connection)) return decline('not_found')
  const now = context.clock.now()
  const decided = decideAct(before, request.act, now)
  if (!decided.ok) return decided
  // A copy of a run is signed in the line of its run.
  if (before.runId !== null) return decline('run_managed')
  const signatures = await listSignatures(tx, before.serviceId, [before.id])
  const seal = await takeSeal(tx, { before, request, sealId, acts: signatures.length })
  if (!seal.ok) return seal
  const signature = signatureOf(before, request.act, seal.value?.sealedAt ?? now)
  const { status, cancelEffectiveDate, action, note } = decided.value
  const changed: CustomerDocument = { ...before, status, cancelEffectiveDate, rev: before.rev + 1, updatedAt: now }
  const after = seal.value === null ? changed : withSeal(changed, seal.value)
  const recorded = signature === null ? signatures : [...signatures, signature]
  if (signature !== null) await insertSignature(tx, before.serviceId, recorded.length, signature)
  const event = statusEvent(after, { action, signature, note })
  const change = { before, after, connection, signatures: recorded, file: seal.value, event }
  await recordChange(context, tx, change)
  return accept({ document: after, signatures: recorded })
}

/** A region may act only for its own customers. */
export function isAskedFor(connection: StoredConnection, { customerId, region }: ActRequest): boolean {
  return connection.customerId === customerId && connection.customerRegion === region
}

/** The customer does not see a document whose file is missing, nor one of another connection. */
export function isOf(document: StoredDocument | null, { id }: StoredConnection): document is CustomerDocument {
  return document?.customer?.connectionId === id && !document.isPending
}

interface SealedAct {
  readonly before: StoredDocument
  readonly request: ActRequest
  readonly sealId: SealId | null
  readonly acts: number
}

/** The seal that was prepared for exactly this act; null when the act needs none. */
async function takeSeal(
  tx: Tx,
  { before, request: { act, serviceId }, sealId, acts }: SealedAct,
): Promise<Result<PreparedSeal | null, ActRefusal>> {
  if (!needsSeal(before) || (act.act !== 'sign' && act.act !== 'accept')) return accept(null)
  const seal = sealId === null ? null : await takePreparedSeal(tx, serviceId, sealId)
  if (seal === null || seal.documentId !== before.id) return decline('seal_failed')
  const isCurrent = seal.contentRev === before.contentRev && seal.acts === acts && seal.actSha256 === digestOfAct(act)
  if (!isCurrent) return decline('seal_failed')
  await keepObject(tx, seal.objectKey)
  return accept(seal)
}

/** The signed digest stays with the signature; the document has that of the sealed file. */
function withSeal(document: CustomerDocument, seal: PreparedSeal): CustomerDocument {
  const { contentSha256, plainSha256, sealedAt } = seal
  return { ...document, contentSha256, plainSha256, sealedAt, contentRev: document.contentRev + 1 }
}

export function digestOfAct(act: DocumentAct): string {
  return createHash('sha256').update(JSON.stringify(act)).digest('hex')
}
