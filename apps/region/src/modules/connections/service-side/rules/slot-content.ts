import { readAttestation } from '@sealpost/field-types'
import { type Instant, instant, parseInstant, parseUuid, type RequestFieldId } from '@sealpost/kernel'
import type { Attested, SlotAnswer } from '@sealpost/protocol'
import type { SlotContent, StoredFile } from '../model.ts'

const DAY_MS = 86_400_000

/** `file`: the object in this region's store that holds the answer's file. */
export function contentOf(
  answer: SlotAnswer,
  file: StoredFile | null,
  { now, shareOnceDays }: { readonly now: Instant; readonly shareOnceDays: number },
): SlotContent {
  const at = readTime(answer.at, now)
  const isSharedOnce = file !== null && !answer.live
  return {
    requestFieldId: readFieldId(answer.request_field_id),
    rev: answer.rev,
    live: answer.live,
    isPrivate: answer.is_private,
    value: answer.value,
    file,
    senderSignature: answer.sender_signature ?? null,
    attested: liveAttested(answer.attested, now),
    at,
    expiresAt: isSharedOnce ? instant(at + shareOnceDays * DAY_MS) : null,
  }
}

/** Null for an attestation that is unreadable or has expired. */
export function liveAttested(attested: Attested | null, now: Instant): Attested | null {
  return readAttestation(attested, now) === null ? null : attested
}

/** The time that the customer side states, but never later than now. */
export function readTime(text: string, now: Instant): Instant {
  const at = parseInstant(text)
  return at === null || at > now ? now : at
}

function readFieldId(text: string): RequestFieldId {
  const id = parseUuid<RequestFieldId>(text)
  if (id === null) throw new Error(`invalid request field id in an answer: ${text}`)
  return id
}
