import { createCryptoPlatform, encodeHex, hashVerified } from '@sealpost/crypto'
import { accepts } from '@sealpost/field-types'
import { CODE_MINUTES, codeEnd, hashCode, matchesCode, newCode, queueMail } from '../../mail/index.ts'
import type { VaultNeeds } from '../needs.ts'
import type { VerificationProvider } from './provider.ts'

const platform = createCryptoPlatform(globalThis)
const SALT_BYTES = 16

/**
 * A code to the address of the account, which the platform knows anyway. What it vouches for is exactly that text: a
 * field that holds another one gets a hash that does not match.
 */
export function platformEmail(needs: Pick<VaultNeeds, 'clock' | 'random' | 'mail' | 'pepper'>): VerificationProvider {
  return {
    name: 'platform_email',
    method: 'email_code',
    refusal: (registry, type) =>
      accepts(registry, 'email', type) ? null : 'verifies e-mail addresses only: use another provider for this field',
    async begin(tx, { id, account }) {
      const code = newCode(needs.random)
      const values = { code, minutes: CODE_MINUTES }
      await queueMail(needs.mail, tx, {
        to: account.email,
        template: 'verify_code',
        values,
        language: account.language,
      })
      const expiresAt = codeEnd(needs.clock.now())
      const { keyId, hash } = hashCode(needs.pepper, code, purposeOf(id))
      return { challenge: null, providerUrl: null, email: account.email, keyId, hash, expiresAt }
    },
    async prove({ id, keyId, hash: stored, email }, { code }, now) {
      if (code === undefined || keyId === null || stored === null || email === null) return null
      if (!matchesCode(needs.pepper, { keyId, hash: stored }, code, purposeOf(id))) return null
      const salt = encodeHex(new Uint8Array(needs.random.bytes(SALT_BYTES)))
      const hash = await hashVerified(platform, salt, email)
      return hash === null ? null : { hash, salt, verifiedAt: now, expiresAt: null }
    },
  }
}

/** A code for one verification is worth nothing for another. */
function purposeOf(id: string): string {
  return `verification:${id}`
}
