import { accept, type Brand, decline, type Result, type Secret } from '@sealpost/kernel'
import { isPrivateKey } from './keys/rsa-private-key.ts'
import { readPublicKey } from './keys/rsa-public-key.ts'
import { type CryptoPlatform, randomBytes } from './platform.ts'
import type { Bytes, WebCryptoKey } from './web-crypto.ts'

/**
 * The only use of SHA-1. Webhooks with `encrypt_payload` wrap their whole body to the company's account key with OAEP
 * over SHA-1. The envelope looks like a wrapper, so one routine for both would have to choose the hash by trying, and a
 * stronger value could be opened by the weaker rule. All code for it is therefore in this file, duplicated on purpose,
 * and `wrapper/` and this file never use each other.
 */
export type AccountSealingKey = Brand<WebCryptoKey, 'AccountSealingKey'>
export type AccountOpeningKey = Brand<WebCryptoKey, 'AccountOpeningKey'>
export type AccountOpenRefusal = 'not_an_account_envelope' | 'wrong_key' | 'damaged' | 'not_text'

const OAEP_SHA1 = { name: 'RSA-OAEP', hash: 'SHA-1' } as const

export async function sealAccountEnvelope(
  platform: CryptoPlatform,
  key: AccountSealingKey,
  body: string,
): Promise<Result<string, 'not_text' | 'not_a_public_key'>> {
  const { base64, crypto, utf8 } = platform
  const content = utf8.encode(body)
  if (content === null) return decline('not_text')
  const aesKey = randomBytes(platform, 32)
  const iv = randomBytes(platform, 12)
  const cipher = await crypto.subtle.importKey('raw', aesKey, { name: 'AES-GCM' }, false, ['encrypt'])
  const d = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, cipher, content))
  const k = usesSha1(key) ? await attempt(crypto.subtle.encrypt({ name: 'RSA-OAEP' }, key, aesKey)) : null
  aesKey.fill(0)
  if (k === null) return decline('not_a_public_key')
  return accept(JSON.stringify({ _enc: 1, k: base64.encode(k), iv: base64.encode(iv), d: base64.encode(d) }))
}

/** Opens the body of a delivery. The field values inside are wrappers, still sealed to the service key. */
export async function openAccountEnvelope(
  platform: CryptoPlatform,
  key: AccountOpeningKey,
  body: string,
): Promise<Result<string, AccountOpenRefusal>> {
  const { crypto, utf8 } = platform
  const envelope = readEnvelope(platform, body)
  if (envelope === null) return decline('not_an_account_envelope')
  const aesKey = usesSha1(key) ? await attempt(crypto.subtle.decrypt({ name: 'RSA-OAEP' }, key, envelope.k)) : null
  if (aesKey === null) return decline('wrong_key')
  const content = aesKey.length === 32 ? await openContent(platform, aesKey, envelope) : null
  aesKey.fill(0)
  if (content === null) return decline('damaged')
  const opened = utf8.decode(content)
  return opened === null ? decline('not_text') : accept(opened)
}

export async function importAccountSealingKey(
  platform: CryptoPlatform,
  publicKey: string,
): Promise<Result<AccountSealingKey, 'not_a_public_key'>> {
  const spki = readPublicKey(platform, publicKey)
  if (spki === null) return decline('not_a_public_key')
  try {
    const key = await platform.crypto.subtle.importKey('spki', spki, OAEP_SHA1, false, ['encrypt'])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this function is what makes such a key
    return accept(key as AccountSealingKey)
  } catch {
    return decline('not_a_public_key')
  }
}

/**
 * For copies that the company holds as a customer, import the same private key by `importOpeningKey`: they are
 * wrappers.
 */
export async function importAccountOpeningKey(
  platform: CryptoPlatform,
  privateKey: Secret<Bytes>,
): Promise<Result<AccountOpeningKey, 'not_a_private_key'>> {
  const pkcs8 = privateKey.reveal()
  if (!isPrivateKey(pkcs8)) return decline('not_a_private_key')
  try {
    const key = await platform.crypto.subtle.importKey('pkcs8', pkcs8, OAEP_SHA1, false, ['decrypt'])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this function is what makes such a key
    return accept(key as AccountOpeningKey)
  } catch {
    return decline('not_a_private_key')
  }
}

interface Envelope {
  readonly k: Bytes
  readonly iv: Bytes
  readonly d: Bytes
}

function readEnvelope({ base64 }: CryptoPlatform, body: string): Envelope | null {
  const parsed = parseJson(body)
  if (typeof parsed !== 'object' || parsed === null || Object.keys(parsed).length !== 4) return null
  const members: Partial<Record<string, unknown>> = { ...parsed }
  if (members['_enc'] !== 1) return null
  const [k, iv, d] = [members['k'], members['iv'], members['d']].map((member) =>
    typeof member === 'string' ? base64.decode(member) : null,
  )
  if (k?.length !== 256 || iv?.length !== 12 || d === undefined || d === null || d.length < 16) return null
  return { k, iv, d }
}

async function openContent({ crypto }: CryptoPlatform, aesKey: Bytes, { iv, d }: Envelope): Promise<Bytes | null> {
  const cipher = await crypto.subtle.importKey('raw', aesKey, { name: 'AES-GCM' }, false, ['decrypt'])
  return attempt(crypto.subtle.decrypt({ name: 'AES-GCM', iv }, cipher, d))
}

function usesSha1({ algorithm }: WebCryptoKey): boolean {
  if (algorithm.name !== 'RSA-OAEP' || !('hash' in algorithm)) return false
  const { hash } = algorithm
  return typeof hash === 'object' && hash !== null && 'name' in hash && hash.name === 'SHA-1'
}

async function attempt(work: Promise<ArrayBuffer>): Promise<Bytes | null> {
  try {
    return new Uint8Array(await work)
  } catch {
    return null
  }
}

function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null
  } catch {
    return null
  }
}
