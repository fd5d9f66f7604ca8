import { type Instant, instant, parseInstant } from '@sealpost/kernel'
import { compactVerify, type CryptoKey, importJWK } from 'jose'
import type { VaultNeeds } from '../needs.ts'
import type { Verification } from '../store/verifications.ts'
import type { Proven, VerificationProvider } from './provider.ts'
import type { StatementVerifier, VerifierKey } from './verifiers.ts'

const CHALLENGE_BYTES = 32
const CHALLENGE_MINUTES = 60
/** How far the clock of a provider may be ahead. */
const AHEAD_MS = 60_000

/** A provider of its own: the device brings it the challenge and comes back with what it has signed. */
export function signedStatement(
  needs: Pick<VaultNeeds, 'clock' | 'random'>,
  verifier: StatementVerifier,
): VerificationProvider {
  const keys = Promise.all(verifier.keys.map(readKey))
  return {
    name: verifier.name,
    method: verifier.method,
    // What it can verify is its own affair: it signs the type.
    refusal: () => null,
    async begin() {
      const challenge = Buffer.from(needs.random.bytes(CHALLENGE_BYTES)).toString('base64url')
      const expiresAt = instant(needs.clock.now() + CHALLENGE_MINUTES * 60_000)
      return { challenge, providerUrl: verifier.issuer, keyId: null, hash: null, email: null, expiresAt }
    },
    async prove(verification, { statement }, now) {
      if (statement === undefined) return null
      const members = await openStatement(statement, await keys)
      return members === null ? null : readStatement(members, verifier.issuer, verification, now)
    },
  }
}

type Members = Readonly<Record<string, unknown>>

interface KnownKey {
  readonly id: string | null
  readonly key: CryptoKey | Uint8Array
}

async function readKey({ kid, ...jwk }: VerifierKey): Promise<KnownKey> {
  return { id: kid ?? null, key: await importJWK(jwk, 'ES256') }
}

/**
 * Null unless one of the provider's keys has signed it. A provider that changes its key has two for a while, and need not
 * say which: then each is tried. One that does say is believed, as far as the keys have names.
 */
export async function openStatement(jws: string, keys: readonly KnownKey[]): Promise<Members | null> {
  for (const { id, key } of keys) {
    try {
      const { payload, protectedHeader } = await compactVerify(jws, key, { algorithms: ['ES256'] })
      const { kid = null } = protectedHeader
      const value: unknown = JSON.parse(Buffer.from(payload).toString('utf8'))
      const isMeant = kid === null || id === null || kid === id
      if (isMeant && typeof value === 'object' && value !== null) return { ...value }
    } catch {
      // Whatever is wrong with it, it is not a statement of this key.
    }
  }
  return null
}

/** The statement must be about this verification and none other, and count now. */
export function readStatement(
  members: Members,
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
