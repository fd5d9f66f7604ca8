import { createCryptoPlatform, encodeHex, hashVerified } from '@sealpost/crypto'
import { accepts } from '@sealpost/field-types'
import type { Platform } from '../../../../platform/module.ts'
import { CODE_MINUTES, codeEnd, hashCode, matchesCode, newCode, queueSms } from '../../../mail/index.ts'
import { invalid } from '../../rules/refusals.ts'
import type { VerificationProvider } from '../model.ts'
import { internationalNumber } from '../rules/phone.ts'

const crypto = createCryptoPlatform(globalThis)
const SALT_BYTES = 16

/**
 * Sends a code to a number that the device names. The number is needed for the message only: stored is the salted hash of
 * the text, which becomes the attestation. The message waits sealed in the outbox.
 */
export function platformSms(platform: Platform): VerificationProvider {
  const { clock, random, settings } = platform
  const pepper = settings.SECRET_PEPPER
  return {
    name: 'platform_sms',
    method: 'sms_code',
    refusal: (registry, type) =>
      accepts(registry, 'phone', type) ? null : 'verifies phone numbers only: use another provider for this field',
    async begin(tx, { id, account, phone }) {
      const to = phone === null ? null : internationalNumber(phone)
      if (phone === null || to === null) throw invalid('/body/phone', 'is not a number like +31 6 12345678')
      const code = newCode(random)
      const values = { code, minutes: CODE_MINUTES }
      await queueSms(platform, tx, { to, template: 'verify_phone', values, language: account.language })
      const textSalt = encodeHex(new Uint8Array(random.bytes(SALT_BYTES)))
      const textHash = await hashVerified(crypto, textSalt, phone)
      if (textHash === null) throw invalid('/body/phone', 'is not text')
      const sent = { ...hashCode(pepper, code, purposeOf(id)), textSalt, textHash }
      return { challenge: null, providerUrl: null, sent, expiresAt: codeEnd(clock.now()) }
    },
    async prove({ id, keyId, hash, textSalt: salt, textHash }, { code }, now) {
      if (code === undefined || keyId === null || hash === null || salt === null || textHash === null) return null
      if (!matchesCode(pepper, { keyId, hash }, code, purposeOf(id))) return null
      return { hash: textHash, salt, verifiedAt: now, expiresAt: null }
    },
  }
}

/** Part of the hash, so that a code is valid for one verification only. */
function purposeOf(id: string): string {
  return `sms verification:${id}`
}
