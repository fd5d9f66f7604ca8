import { accept, decline, type Result, Secret } from '@sealpost/kernel'
import { type CryptoPlatform, randomBytes } from '../platform.ts'
import type { Bytes, WebCryptoKey } from '../web-crypto.ts'

/** One secret, imported for both schemes. */
export interface WebhookKey {
  /** Keys `X-Platform-Signature`: the UTF-8 of the whole secret. */
  readonly platform: WebCryptoKey
  /** Keys `webhook-signature`: the bytes behind `whsec_`; the text of a secret in another form. */
  readonly standard: WebCryptoKey
}

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function generateWebhookSecret(platform: CryptoPlatform): Secret<string> {
  return new Secret(PREFIX + platform.base64.encode(randomBytes(platform, SECRET_BYTES)))
}

/** The bytes that key the two schemes. */
export interface WebhookKeyBytes {
  readonly platform: Bytes
  readonly standard: Bytes
}

export function readWebhookSecret(
  platform: CryptoPlatform,
  secret: Secret<string>,
): Result<WebhookKeyBytes, 'secret_empty' | 'not_text'> {
  const text = secret.reveal()
  const whole = platform.utf8.encode(text)
  if (whole === null) return decline('not_text')
  if (whole.length === 0) return decline('secret_empty')
  const bytes = text.startsWith(PREFIX) ? platform.base64.decode(text.slice(PREFIX.length)) : null
  return accept({ platform: whole, standard: bytes?.length === SECRET_BYTES ? bytes : whole })
}

export async function importWebhookSecret(
  platform: CryptoPlatform,
  secret: Secret<string>,
): Promise<Result<WebhookKey, 'secret_empty' | 'not_text'>> {
  const read = readWebhookSecret(platform, secret)
  if (!read.ok) return read
  const { platform: whole, standard } = read.value
  return accept({ platform: await importHmac(platform, whole), standard: await importHmac(platform, standard) })
}

function importHmac({ crypto }: CryptoPlatform, raw: Bytes): Promise<WebCryptoKey> {
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}
