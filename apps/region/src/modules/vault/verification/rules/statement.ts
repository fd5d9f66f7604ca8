import { type Instant, parseInstant } from '@sealpost/kernel'
import type { Proven, Verification } from '../model.ts'

/** How far the clock of a provider may be ahead. */
const AHEAD_MS = 60_000

/** Null unless the signed members are about this verification, complete, and valid now. */
export function readStatement(
  members: Readonly<Record<string, unknown>>,
  issuer: string,
  { id, challenge, fieldType }: Pick<Verification, 'id' | 'challenge' | 'fieldType'>,
  now: Instant,
): Proven | null {
  const isAboutIt =
    members['iss'] === issuer &&
    members['verification_id'] === id &&
    challenge !== null &&
    members['challenge'] === challenge &&
    members['field_type'] === fieldType
  if (!isAboutIt) return null
  const { hash, salt, verified_at: at, expires_at: end } = members
  const verifiedAt = typeof at === 'string' ? parseInstant(at) : null
  const expiresAt = typeof end === 'string' ? parseInstant(end) : null
  const isEndless = end === null || end === undefined
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return null
  if (typeof salt !== 'string' || !/^[0-9a-f]{32}$/.test(salt)) return null
  if (verifiedAt === null || verifiedAt > now + AHEAD_MS) return null
  if (!isEndless && (expiresAt === null || expiresAt <= now || expiresAt <= verifiedAt)) return null
  return { hash, salt, verifiedAt, expiresAt }
}
