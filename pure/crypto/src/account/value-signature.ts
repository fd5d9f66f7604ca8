import { accept, decline, type Result } from '@sealpost/kernel'
import { decodeBase64Url, encodeBase64Url } from '../codecs/base64url.ts'
import { type CryptoPlatform, randomBytes } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import { digestWrapper } from '../wrapper/digest.ts'
import type { ValueSigner } from './account-secrets.ts'
import { signEs256, verifyEs256 } from './es256.ts'

/** The place that a sealed value is for. */
export interface ValuePlace {
  /** Names the connection; chosen by the customer's device, because the server chooses the ids. */
  readonly binding: string
  /** Fingerprint of the key that the value is sealed to. */
  readonly recipient: string
  readonly slug: string
}

/** What a signature says: who signed what for which place, and when. */
export interface SignedValue {
  readonly binding: string
  /** base64url of the signer's public key. */
  readonly signer: string
  /** Milliseconds since 1970 on the customer's device. */
  readonly time: number
  /** Hex of the SHA-256 over the wrapper's three parts. */
  readonly digest: string
}

const BINDING_BYTES = 16
const SIGNATURE = /^v1\.([\w-]{22})\.(\d{1,16})\.([\w-]{87})\.([\w-]{86})$/

/** A new name for a connection. */
export function newBinding(platform: CryptoPlatform): string {
  return encodeBase64Url(platform.base64, randomBytes(platform, BINDING_BYTES))
}

/** `sender_signature` of the wire: `v1.BINDING.TIME.PUBLIC_KEY.SIGNATURE`. */
export async function signValue(
  platform: CryptoPlatform,
  { key, publicKey }: ValueSigner,
  place: ValuePlace,
  wrapper: string,
  time: number,
): Promise<Result<string, 'not_a_wrapper'>> {
  const digest = await digestWrapper(platform, wrapper)
  if (digest === null) return decline('not_a_wrapper')
  const signature = await signEs256(platform, key, contentOf(platform, place, digest, time))
  return accept(`v1.${place.binding}.${time}.${publicKey}.${encodeBase64Url(platform.base64, signature)}`)
}

/**
 * Whether the signature belongs to this wrapper at this place. It proves possession of the key in it; the caller compares
 * that key and the binding with those that it has pinned.
 */
export async function verifyValue(
  platform: CryptoPlatform,
  signature: string,
  { recipient, slug }: Omit<ValuePlace, 'binding'>,
  wrapper: string,
): Promise<Result<SignedValue, 'signature_malformed' | 'signature_mismatch' | 'not_a_wrapper'>> {
  const [, binding = '', timeText = '', signer = '', tag = ''] = SIGNATURE.exec(signature) ?? []
  const time = Number(timeText)
  const [point, bytes] = [signer, tag].map((text) => decodeBase64Url(platform.base64, text))
  if (!point || !bytes || signer === '' || !Number.isSafeInteger(time)) return decline('signature_malformed')
  const digest = await digestWrapper(platform, wrapper)
  if (digest === null) return decline('not_a_wrapper')
  const content = contentOf(platform, { binding, recipient, slug }, digest, time)
  const isValid = await verifyEs256(platform, point, bytes, content)
  return isValid ? accept({ binding, signer, time, digest }) : decline('signature_mismatch')
}

function contentOf({ utf8 }: CryptoPlatform, place: ValuePlace, digest: string, time: number): Bytes {
  const { binding, recipient, slug } = place
  const content = utf8.encode(JSON.stringify(['shared value', 1, binding, recipient, slug, digest, time]))
  if (content === null) throw new TypeError('a slug must be well-formed Unicode')
  return content
}
