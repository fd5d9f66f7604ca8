import { accept, decline, type Instant, type Result } from '@sealpost/kernel'
import type { ActRefusal, DocumentAct } from '@sealpost/protocol'
import type { Signature, StatusMembers, StoredDocument } from '../model.ts'
import { dateAfter, dateOf } from './dates.ts'
import { noticeDays } from './metadata.ts'

export type SigningAct = Extract<DocumentAct, { readonly act: 'sign' | 'accept' }>

export interface Decided {
  readonly changed: StatusMembers
  readonly action: 'signed' | 'accepted' | 'cancelled'
  readonly note: string | null
}

type Judged = Pick<StoredDocument, 'status' | 'payloadKind' | 'contentSha256' | 'plainSha256' | 'metadata'>

/** What an act of the customer makes of the document. The seal of a file contract is judged apart. */
export function decideAct(document: Judged, act: DocumentAct, now: Instant): Result<Decided, ActRefusal> {
  switch (act.act) {
    case 'sign':
    case 'accept':
      return decideSigning(document, act)
    case 'decline':
      if (document.status !== 'offering' && document.status !== 'ready_to_sign') return decline('status_invalid')
      return accept({ changed: endedOn('ended', dateOf(now)), action: 'cancelled', note: act.note })
    case 'cancel':
      return decideCancellation(document, act.note, now)
  }
}

function decideSigning(document: Judged, act: SigningAct): Result<Decided, ActRefusal> {
  if (document.status !== (act.act === 'sign' ? 'ready_to_sign' : 'offering')) return decline('status_invalid')
  if (needsSeal(document) && document.plainSha256 === null) return decline('not_signable')
  if (act.content_sha256 !== document.contentSha256) return decline('content_mismatch')
  const isOther = act.plain_sha256 !== null && act.plain_sha256 !== document.plainSha256
  if (needsSeal(document) && isOther) return decline('content_mismatch')
  const action = act.act === 'sign' ? 'signed' : 'accepted'
  const changed = { status: 'active', cancelEffectiveDate: null, cancelSetBy: null, customerCancelDate: null } as const
  return accept({ changed, action, note: null })
}

function decideCancellation(document: Judged, note: string | null, now: Instant): Result<Decided, ActRefusal> {
  if (document.status !== 'active') return decline('status_invalid')
  if (!document.metadata.can_be_cancelled_in_app) return decline('not_cancellable')
  const days = noticeDays(document.metadata)
  const status = days === 0 ? 'ended' : 'active_but_ending'
  return accept({ changed: endedOn(status, dateAfter(now, days)), action: 'cancelled', note })
}

function endedOn(status: 'ended' | 'active_but_ending', date: string): StatusMembers {
  return { status, cancelEffectiveDate: date, cancelSetBy: 'customer', customerCancelDate: date }
}

/** The completing act seals a PDF; JSON is signed over its sealed text alone. */
export function needsSeal({ payloadKind }: Pick<StoredDocument, 'payloadKind'>): boolean {
  return payloadKind === 'file'
}

/** The record of a signature or acceptance; null for other acts. */
export function signatureOf(
  document: Pick<StoredDocument, 'id' | 'plainSha256' | 'contentSha256'>,
  act: DocumentAct,
  at: Instant,
): Signature | null {
  if (act.act !== 'sign' && act.act !== 'accept') return null
  const { signer } = act
  return {
    documentId: document.id,
    action: act.act === 'sign' ? 'signed' : 'accepted',
    method: act.act === 'sign' ? act.method : null,
    contentSha256: act.content_sha256,
    plainSha256: document.plainSha256,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract of the ask has checked that it is an id
    signerId: signer.user_id as Signature['signerId'],
    signerFirstName: signer.first_name,
    signerLastName: signer.last_name,
    signerNameVerified: signer.name_verified,
    ip: signer.ip,
    userAgent: signer.user_agent,
    createdAt: at,
  }
}
