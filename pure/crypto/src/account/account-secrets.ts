import { accept, type Brand, decline, type Result, type Secret } from '@sealpost/kernel'
import { encodeBase64Url, decodeBase64Url } from '../codecs/base64url.ts'
import { isEqualInConstantTime } from '../codecs/constant-time.ts'
import { derivePublicKey, privateExponentOf } from '../keys/derive-public-key.ts'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes, WebCryptoKey } from '../web-crypto.ts'
import { importSigner } from './es256.ts'
import { pairFromSeed } from './p256.ts'

/** Authenticates records that an account stores at the server for its own devices. */
export type RecordKey = Brand<WebCryptoKey, 'RecordKey'>

/** Signs the values that an account shares. */
export interface ValueSigner {
  /** base64url of the uncompressed point. */
  readonly publicKey: string
  readonly key: WebCryptoKey
}

/** The keys that follow from an account's private key, so every device that can open it has them and no server stores them. */
export interface AccountSecrets {
  /** base64 of the DER SubjectPublicKeyInfo. */
  readonly publicKey: string
  readonly recordKey: RecordKey
  readonly signer: ValueSigner
}

const RECORD_BYTES = 32
/** The order of P-256 has 32 bytes. */
const SEED_BYTES = 48

/** HKDF-SHA256 over the private exponent, without salt; the info names the purpose. */
export async function deriveAccountSecrets(
  platform: CryptoPlatform,
  privateKey: Secret<Bytes>,
): Promise<Result<AccountSecrets, 'not_a_private_key'>> {
  const { subtle } = platform.crypto
  const publicKey = derivePublicKey(platform, privateKey)
  const exponent = privateExponentOf(privateKey.reveal())
  if (!publicKey.ok || exponent === null) return decline('not_a_private_key')
  const source = await subtle.importKey('raw', exponent, { name: 'HKDF' }, false, ['deriveBits'])
  exponent.fill(0)
  const derive = async (purpose: string, bytes: number): Promise<Bytes> => {
    const info = Uint8Array.from(purpose, (letter) => letter.charCodeAt(0))
    const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info } as const
    return new Uint8Array(await subtle.deriveBits(parameters, source, bytes * 8))
  }
  const recordKey = await importRecordKey(platform, await derive('account record', RECORD_BYTES))
  const pair = pairFromSeed(await derive('value signature', SEED_BYTES))
  const signer = {
    publicKey: encodeBase64Url(platform.base64, pair.point),
    key: await importSigner(platform, pair),
  }
  pair.scalar.fill(0)
  return accept({ publicKey: publicKey.value, recordKey, signer })
}

async function importRecordKey({ crypto }: CryptoPlatform, raw: Bytes): Promise<RecordKey> {
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  raw.fill(0)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this function is what makes a record key
  return key as RecordKey
}

/**
 * A record with its MAC: `v1.TEXT.MAC`, both in base64url. `purpose` is part of the MAC, so that a record of one kind is
 * never accepted as another.
 */
export async function sealRecord(
  platform: CryptoPlatform,
  key: RecordKey,
  purpose: string,
  text: string,
): Promise<string> {
  const mac = await computeMac(platform, key, purpose, text)
  const bytes = platform.utf8.encode(text)
  if (bytes === null || mac === null) throw new TypeError('a record must be well-formed Unicode')
  return `v1.${encodeBase64Url(platform.base64, bytes)}.${encodeBase64Url(platform.base64, mac)}`
}

/** The text of a record that a device of this account made; null for every other. */
export async function openRecord(
  platform: CryptoPlatform,
  key: RecordKey,
  purpose: string,
  record: string,
): Promise<string | null> {
  const [version, content = '', tag = '', ...more] = record.split('.')
  const bytes = decodeBase64Url(platform.base64, content)
  const mac = decodeBase64Url(platform.base64, tag)
  const text = bytes === null ? null : platform.utf8.decode(bytes)
  if (version !== 'v1' || more.length > 0 || text === null || mac === null) return null
  const expected = await computeMac(platform, key, purpose, text)
  return expected !== null && isEqualInConstantTime(expected, mac) ? text : null
}

async function computeMac(
  { crypto, utf8 }: CryptoPlatform,
  key: RecordKey,
  purpose: string,
  text: string,
): Promise<Bytes | null> {
  // JSON keeps the two parts apart.
  const content = utf8.encode(JSON.stringify([purpose, text]))
  return content === null ? null : new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
}
