import { accept, decline, type Result } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { ActRefusal } from '@sealpost/protocol'
import { lockConnection, type StoredConnection } from '../../../connections/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ActRequest, CustomerDocument, PreparedSeal, SealId, Signature, StoredDocument } from '../model.ts'
import { decideAct, signatureOf } from '../rules/acts.ts'
import { statusEvent } from '../rules/events.ts'
import { findDocument, lockDocument } from '../store/documents.ts'
import { insertSignature, listSignatures } from '../store/signatures.ts'
import { actInRun } from './act-in-run.ts'
import { recordChange } from './record-change.ts'
import { takeSeal } from './take-seal.ts'

export interface Acted {
  readonly document: StoredDocument
  readonly signatures: readonly Signature[]
}

/** This side decides: acts, edits and the end of the connection meet at the lock of the connection, and one comes first. */
export async function actOnDocument(
  context: ServiceSideContext,
  tx: Tx,
  request: ActRequest,
  sealId: SealId | null,
): Promise<Result<Acted, ActRefusal>> {
  const { serviceId, documentId } = request
  const runId = (await findDocument(tx, { serviceId, id: documentId }))?.runId ?? null
  // The run decides about its copies, and is locked before them.
  if (runId !== null)
    return actInRun(context, tx, {
      name: { serviceId, runId },
      documentId,
      act: request.act,
      sealId,
      isOwn: (copy, run) => run.connections.some((one) => isAskedFor(one, request) && isOf(copy, one)),
    })
  const connection = await lockConnection(tx, request.serviceId, request.connectionId)
  if (connection === null || !isAskedFor(connection, request)) return decline('not_found')
  const before = await lockDocument(tx, { serviceId: request.serviceId, id: request.documentId })
  if (!isOf(before, connection)) return decline('not_found')
  const now = context.clock.now()
  const decided = decideAct(before, request.act, now)
  if (!decided.ok) return decided
  const signatures = await listSignatures(tx, before.serviceId, [before.id])
  const seal = await takeSeal(tx, { before, act: request.act, sealId, acts: signatures.length })
  if (!seal.ok) return seal
  const signature = signatureOf(before, request.act, seal.value?.sealedAt ?? now)
  const { action, note } = decided.value
  const changed: CustomerDocument = { ...before, ...decided.value.changed, rev: before.rev + 1, updatedAt: now }
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

/** The signed digest stays with the signature; the document has that of the sealed file. */
function withSeal(document: CustomerDocument, seal: PreparedSeal): CustomerDocument {
  const { contentSha256, plainSha256, sealedAt } = seal
  return { ...document, contentSha256, plainSha256, sealedAt, contentRev: document.contentRev + 1 }
}
