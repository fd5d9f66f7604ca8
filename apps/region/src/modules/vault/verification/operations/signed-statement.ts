import { instant } from '@sealpost/kernel'
import { compactVerify, type CryptoKey, importJWK } from 'jose'
import type { Platform } from '../../../../platform/module.ts'
import type { StatementVerifier, VerifierKey } from '../../../../platform/verifiers.ts'
import type { VerificationProvider } from '../model.ts'
import { readStatement } from '../rules/statement.ts'

const CHALLENGE_BYTES = 32
const CHALLENGE_MINUTES = 60

/** An external provider: the device brings it the challenge and returns with a signed statement. */
export function signedStatement(
  { clock, random }: Pick<Platform, 'clock' | 'random'>,
  verifier: StatementVerifier,
): VerificationProvider {
  const keys = Promise.all(verifier.keys.map(readKey))
  return {
    name: verifier.name,
    method: verifier.method,
    // The provider decides which types it verifies: it signs the type.
    refusal: () => null,
    async begin() {
      const challenge = Buffer.from(random.bytes(CHALLENGE_BYTES)).toString('base64url')
      const expiresAt = instant(clock.now() + CHALLENGE_MINUTES * 60_000)
      return { challenge, providerUrl: verifier.issuer, sent: null, expiresAt }
    },
    async prove(verification, { statement }, now) {
      if (statement === undefined) return null
      const members = await openStatement(statement, await keys)
      const proven = members === null ? null : readStatement(members, verifier.issuer, verification, now)
      return proven === null ? null : { ...proven, statement }
    },
  }
}

interface KnownKey {
  readonly id: string | null
  readonly key: CryptoKey | Uint8Array
}

async function readKey({ kid, ...jwk }: VerifierKey): Promise<KnownKey> {
  return { id: kid ?? null, key: await importJWK(jwk, 'ES256') }
}

/**
 * Null unless one of the provider's keys signed it. During a key change a provider has two keys and need not name one:
 * then each is tried. A named key must match, as far as the configured keys have names.
 */
async function openStatement(
  jws: string,
  keys: readonly KnownKey[],
): Promise<Readonly<Record<string, unknown>> | null> {
  for (const { id, key } of keys) {
    try {
      const { payload, protectedHeader } = await compactVerify(jws, key, { algorithms: ['ES256'] })
      const { kid = null } = protectedHeader
      const value: unknown = JSON.parse(Buffer.from(payload).toString('utf8'))
      const isMeant = kid === null || id === null || kid === id
      if (isMeant && typeof value === 'object' && value !== null) return { ...value }
    } catch {
      // Not a statement of this key, whatever the reason.
    }
  }
  return null
}
