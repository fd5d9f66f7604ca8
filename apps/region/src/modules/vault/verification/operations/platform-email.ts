import { createCryptoPlatform, encodeHex, hashVerified } from '@sealpost/crypto'
import { accepts } from '@sealpost/field-types'
import type { Platform } from '../../../../platform/module.ts'
import { CODE_MINUTES, codeEnd, hashCode, matchesCode, newCode, queueMail } from '../../../mail/index.ts'
import type { VerificationProvider } from '../model.ts'

const crypto = createCryptoPlatform(globalThis)
const SALT_BYTES = 16

/**
 * Mails a code to the address of the account, which the platform knows anyway. The attestation is about exactly that
 * text: a field that holds another text gets a hash that does not match.
 */
export function platformEmail(platform: Platform): VerificationProvider {
  const { clock, random, settings } = platform
  const pepper = settings.SECRET_PEPPER
  return {
    name: 'platform_email',
    method: 'email_code',
    refusal: (registry, type) =>
      accepts(registry, 'email', type) ? null : 'verifies e-mail addresses only: use another provider for this field',
    async begin(tx, { id, account }) {
      const code = newCode(random)
      const values = { code, minutes: CODE_MINUTES }
      const mail = { to: account.email, template: 'verify_code', values, language: account.language } as const
      await queueMail(platform, tx, mail)
      const { keyId, hash } = hashCode(pepper, code, purposeOf(id))
      const sent = { keyId, hash, email: account.email }
      return { challenge: null, providerUrl: null, sent, expiresAt: codeEnd(clock.now()) }
    },
    async prove({ id, keyId, hash: stored, email }, { code }, now) {
      if (code === undefined || keyId === null || stored === null || email === null) return null
      if (!matchesCode(pepper, { keyId, hash: stored }, code, purposeOf(id))) return null
      const salt = encodeHex(new Uint8Array(random.bytes(SALT_BYTES)))
      const hash = await hashVerified(crypto, salt, email)
      return hash === null ? null : { hash, salt, verifiedAt: now, expiresAt: null }
    },
  }
}

/** Part of the hash, so that a code is valid for one verification only. */
function purposeOf(id: string): string {
  return `verification:${id}`
}
