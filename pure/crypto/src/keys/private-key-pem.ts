import { accept, decline, type Result, type Secret } from '@sealpost/kernel'
import { type CryptoPlatform, randomBytes } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import {
  keyOfPassphrase,
  openByPassphrase,
  PASSPHRASE_ITERATIONS,
  type PassphraseRefusal,
  SALT_BYTES,
} from './passphrase.ts'
import { type Pbes2, readPbes2, writePbes2 } from './pbes2.ts'
import { readPem, writePem } from './pem.ts'

export type PemRefusal = 'not_a_key_file' | 'unsupported_protection' | PassphraseRefusal

/** The file that a company downloads: `openssl pkcs8` and similar tools read it. */
export async function exportPrivateKeyPem(
  platform: CryptoPlatform,
  privateKey: Secret<Bytes>,
  passphrase: Secret<string>,
): Promise<Result<string, 'not_text'>> {
  const salt = randomBytes(platform, SALT_BYTES)
  const iv = randomBytes(platform, 16)
  const iterations = PASSPHRASE_ITERATIONS
  const key = await keyOfPassphrase(platform, passphrase, salt)
  if (key === null) return decline('not_text')
  const { crypto, base64 } = platform
  const cipher = await crypto.subtle.importKey('raw', key, { name: 'AES-CBC' }, false, ['encrypt'])
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, cipher, privateKey.reveal())
  return accept(writePem(base64, writePbes2({ salt, iterations, iv, encrypted: new Uint8Array(encrypted) })))
}

/** Returns PKCS#8. A wrong passphrase and a changed file are indistinguishable. */
export async function importPrivateKeyPem(
  platform: CryptoPlatform,
  pem: string,
  passphrase: Secret<string>,
): Promise<Result<Secret<Bytes>, PemRefusal>> {
  const der = readPem(platform.base64, pem)
  const read = der === null ? decline('not_a_key_file' as const) : readPbes2(der)
  if (!read.ok) return read
  const protection = read.value
  return openByPassphrase(platform, passphrase, protection, (key) => decrypt(platform, key, protection))
}

async function decrypt({ crypto }: CryptoPlatform, key: Bytes, { iv, encrypted }: Pbes2): Promise<Bytes | null> {
  try {
    const cipher = await crypto.subtle.importKey('raw', key, { name: 'AES-CBC' }, false, ['decrypt'])
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, cipher, encrypted))
  } catch {
    return null
  }
}
