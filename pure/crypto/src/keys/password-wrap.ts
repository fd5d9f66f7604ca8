import { accept, decline, type Result, Secret } from '@sealpost/kernel'
import { type CryptoPlatform, randomBytes } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import type { WrapKey } from './password.ts'

/** Private keys of users and accounts as stored at the server: PKCS#8 under AES-256-GCM, both in base64. */
export interface PasswordWrap {
  readonly iv: string
  readonly data: string
}

/** What a wrapped private key is for. */
export type WrapPurpose = 'account' | 'recovery'

/**
 * Both keys of a company rest under one wrap key, and the recipe of the wire has no
 * additional data. So the purpose is the last byte of the IV, which AES-GCM authenticates: a server that exchanges the
 * wraps hands out one whose IV says so, and a changed IV opens nothing. The other 11 bytes are random; a wrap key makes
 * a handful of wraps.
 */
const PURPOSE_BYTE: Readonly<Record<WrapPurpose, number>> = { account: 1, recovery: 2 }
const IV_BYTES = 12
const TAG_BYTES = 16
const DATA_LIMIT = 4096

export async function wrapByPassword(
  platform: CryptoPlatform,
  key: WrapKey,
  privateKey: Secret<Bytes>,
  purpose: WrapPurpose,
): Promise<PasswordWrap> {
  const { base64, crypto } = platform
  const iv = randomBytes(platform, IV_BYTES)
  iv[IV_BYTES - 1] = PURPOSE_BYTE[purpose]
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, privateKey.reveal())
  return { iv: base64.encode(iv), data: base64.encode(new Uint8Array(data)) }
}

/** `purpose` null: any wrap of the wire's recipe. */
export async function unwrapByPassword(
  { base64, crypto }: CryptoPlatform,
  key: WrapKey,
  wrap: unknown,
  purpose: WrapPurpose | null,
): Promise<Result<Secret<Bytes>, 'not_a_key_wrap' | 'wrong_key' | 'wrong_purpose'>> {
  const parts = readWrap(base64, wrap)
  if (parts === null) return decline('not_a_key_wrap')
  if (purpose !== null && parts.iv[IV_BYTES - 1] !== PURPOSE_BYTE[purpose]) return decline('wrong_purpose')
  try {
    const pkcs8 = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: parts.iv }, key, parts.data)
    return accept(new Secret(new Uint8Array(pkcs8)))
  } catch {
    return decline('wrong_key')
  }
}

/** The server's check of an object that it stores and can never open. */
export function isPasswordWrap({ base64 }: CryptoPlatform, value: unknown): value is PasswordWrap {
  return readWrap(base64, value) !== null
}

function readWrap(
  base64: CryptoPlatform['base64'],
  value: unknown,
): { readonly iv: Bytes; readonly data: Bytes } | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return null
  const members: Partial<Record<string, unknown>> = { ...value }
  const [iv, data] = [members['iv'], members['data']].map((text) =>
    typeof text === 'string' && text.length <= DATA_LIMIT ? base64.decode(text) : null,
  )
  return iv?.length === IV_BYTES && data && data.length > TAG_BYTES ? { iv, data } : null
}
