import { formatInstant } from '@sealpost/kernel'
import { collapseKey, serviceEvents } from '@sealpost/protocol'
import type { NewEvent } from '../../../feed/index.ts'
import type { CustomerDocument, Signature } from '../model.ts'

export function documentEvent(
  kind: 'document_created' | 'document_updated' | 'document_deleted',
  document: CustomerDocument,
): NewEvent {
  const { id, name, kind: documentKind, payloadKind } = document
  return {
    ...about(document),
    kind,
    payload: { ...who(document), document_id: id, name, kind: documentKind, payload_kind: payloadKind },
    key: null,
  }
}

export interface StatusCause {
  readonly action: 'signed' | 'accepted' | 'cancelled' | null
  /** The act that made the document active; null for every other cause. */
  readonly signature: Signature | null
  readonly note: string | null
}

/** Members about the seal and the signer are null unless the document became active. */
export function statusEvent(document: CustomerDocument, { action, signature, note }: StatusCause): NewEvent {
  const isSignature = signature?.action === 'signed'
  return {
    ...about(document),
    kind: 'document_status_changed',
    payload: {
      ...who(document),
      document_id: document.id,
      status: document.status,
      action,
      method: signature?.method ?? null,
      content_sha256: isSignature ? signature.contentSha256 : null,
      signed_at: isSignature ? formatInstant(signature.createdAt) : null,
      cancel_effective_date: action === 'cancelled' ? document.cancelEffectiveDate : null,
      ...sealMembers(document, signature),
      note,
    },
    key: collapseKey(serviceEvents.document_status_changed.collapse, { document_id: document.id }),
  }
}

function sealMembers({ sealedAt, plainSha256 }: CustomerDocument, signature: Signature | null) {
  return {
    sealed_at: signature === null || sealedAt === null ? null : formatInstant(sealedAt),
    plain_sha256: signature === null ? null : plainSha256,
    signer_first_name: signature?.signerFirstName ?? null,
    signer_last_name: signature?.signerLastName ?? null,
    signer_name_verified: signature?.signerNameVerified ?? null,
  }
}

function about({ companyId, serviceId, customer }: CustomerDocument): Pick<NewEvent, 'owner' | 'connectionId'> {
  return { owner: { kind: 'service', companyId, serviceId }, connectionId: customer.connectionId }
}

function who({ customer: { customerId, shareCode } }: CustomerDocument) {
  return { person_user_id: customerId, share_code: shareCode }
}
