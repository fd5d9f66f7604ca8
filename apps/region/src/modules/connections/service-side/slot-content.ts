import { readAttestation } from '@sealpost/field-types'
import { type Clock, type Instant, instant, parseInstant, parseUuid, type RequestFieldId } from '@sealpost/kernel'
import type { Attested, SlotAnswer } from '@sealpost/protocol'
import type { HeldFile, SlotContent } from './connection.ts'

const DAY_MS = 86_400_000

interface ContentNeeds {
  readonly clock: Clock
  readonly shareOnceDays: number
}

/** An answer as a slot holds it. `file`: the object of ours that its file became. */
export function contentOf(answer: SlotAnswer, file: HeldFile | null, needs: ContentNeeds): SlotContent {
  const now = needs.clock.now()
  const at = readTime(answer.at, now)
  const isSharedOnce = file !== null && !answer.live
  return {
    requestFieldId: readFieldId(answer.request_field_id),
    rev: answer.rev,
    live: answer.live,
    isPrivate: answer.is_private,
    value: answer.value,
    file,
    attested: liveAttested(answer.attested, now),
    at,
    expiresAt: isSharedOnce ? instant(at + needs.shareOnceDays * DAY_MS) : null,
  }
}

/** What cannot be read, or is over, counts as no attestation. */
export function liveAttested(attested: Attested | null, now: Instant): Attested | null {
  return readAttestation(attested, now) === null ? null : attested
}

/** When the customer's side says it happened; never later than now. */
export function readTime(text: string, now: Instant): Instant {
  const at = parseInstant(text)
  return at === null || at > now ? now : at
}

export function readFieldId(text: string): RequestFieldId {
  const id = parseUuid<RequestFieldId>(text)
  if (id === null) throw new Error('a request field has no readable id')
  return id
}
