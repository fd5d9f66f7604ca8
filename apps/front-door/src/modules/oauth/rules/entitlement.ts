import { type Instant, instant } from '@sealpost/kernel'
import { type Level, refuse } from '@sealpost/protocol'
import type { ClientFacts } from '../model.ts'

/** A company that moved to free can still fetch its data for this long; after that its level includes no data client. */
const GRACE_MS = 7 * 86_400_000
const REQUIRED: Level = 'basic'

export type Entitled = Pick<ClientFacts, 'kind' | 'level' | 'levelChangedAt'>

export function requireEntitled(client: Entitled, now: Instant): void {
  if (!isEntitled(client, now)) throw refuse('account.level_required', { required_level: REQUIRED }, { status: 400 })
}

function isEntitled({ kind, level, levelChangedAt }: Entitled, now: Instant): boolean {
  if (kind !== 'svc' || level !== 'free') return true
  return now < (levelChangedAt ?? instant(0)) + GRACE_MS
}
