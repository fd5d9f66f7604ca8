import { accept, decline, type Result } from '@sealpost/kernel'
import { isOid, isPlainAlgorithm, OID } from '../der/object-ids.ts'
import { childrenOf, type DerElement, octetsOf, readSequence, smallIntegerOf, TAG } from '../der/reader.ts'
import { writeInteger, writeNull, writeOctets, writeOid, writeSequence } from '../der/writer.ts'
import type { Bytes } from '../web-crypto.ts'

/** EncryptedPrivateKeyInfo under PBES2: PBKDF2 with HMAC-SHA-256, then AES-256-CBC. */
export interface Pbes2 {
  readonly salt: Bytes
  readonly iterations: number
  readonly iv: Bytes
  readonly encrypted: Bytes
}

const KEY_BYTES = 32
const BLOCK_BYTES = 16

export function readPbes2(der: Bytes): Result<Pbes2, 'not_a_key_file' | 'unsupported_protection'> {
  const [algorithm, data, ...others] = readSequence(der) ?? []
  const encrypted = octetsOf(data)
  if (encrypted === null || others.length > 0) return decline('not_a_key_file')
  const [scheme, parameters] = childrenOf(algorithm) ?? []
  if (scheme?.tag !== TAG.oid) return decline('not_a_key_file')
  const [kdf, cipher] = isOid(scheme, OID.pbes2) ? (childrenOf(parameters) ?? []) : []
  const derivation = readPbkdf2(childrenOf(kdf))
  const iv = readCipher(childrenOf(cipher))
  if (derivation === null || iv === null) return decline('unsupported_protection')
  if (encrypted.length === 0 || encrypted.length % BLOCK_BYTES !== 0) return decline('not_a_key_file')
  return accept({ ...derivation, iv, encrypted })
}

export function writePbes2({ salt, iterations, iv, encrypted }: Pbes2): Bytes {
  const hash = writeSequence(writeOid(OID.hmacWithSha256), writeNull())
  const kdf = writeSequence(writeOid(OID.pbkdf2), writeSequence(writeOctets(salt), writeInteger(iterations), hash))
  const cipher = writeSequence(writeOid(OID.aes256Cbc), writeOctets(iv))
  return writeSequence(writeSequence(writeOid(OID.pbes2), writeSequence(kdf, cipher)), writeOctets(encrypted))
}

/** The key length is optional; the hash is required, because its default is SHA-1. */
function readPbkdf2(kdf: readonly DerElement[] | null): Pick<Pbes2, 'salt' | 'iterations'> | null {
  const [scheme, parameters] = kdf ?? []
  if (!isOid(scheme, OID.pbkdf2)) return null
  const [salted, count, ...rest] = childrenOf(parameters) ?? []
  const salt = octetsOf(salted)
  const iterations = smallIntegerOf(count)
  const [hash, ...others] = rest[0]?.tag === TAG.integer ? rest.slice(1) : rest
  const hasKeyLength = rest[0]?.tag !== TAG.integer || smallIntegerOf(rest[0]) === KEY_BYTES
  if (!hasKeyLength || others.length > 0 || !isPlainAlgorithm(childrenOf(hash), OID.hmacWithSha256)) return null
  // openssl before 3.2 salts with eight bytes.
  if (salt === null || iterations === null || salt.length < 8 || salt.length > 64) return null
  return { salt, iterations }
}

function readCipher(cipher: readonly DerElement[] | null): Bytes | null {
  const [scheme, parameter, ...others] = cipher ?? []
  const iv = octetsOf(parameter)
  return isOid(scheme, OID.aes256Cbc) && iv?.length === BLOCK_BYTES && others.length === 0 ? iv : null
}
