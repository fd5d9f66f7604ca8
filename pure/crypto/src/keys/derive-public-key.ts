import { accept, decline, type Result, type Secret } from '@sealpost/kernel'
import { joinBytes } from '../codecs/join-bytes.ts'
import { OID } from '../der/object-ids.ts'
import { octetsOf, readSequence, unsignedOf } from '../der/reader.ts'
import { writeBitString, writeInteger, writeNull, writeOid, writeSequence, writeUnsigned } from '../der/writer.ts'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import { isPrivateKey } from './rsa-private-key.ts'
import { PUBLIC_EXPONENT } from './rsa-public-key.ts'

/** The public key that belongs to a private key, as the wire writes it: a client must not take its own key from a server. */
export function derivePublicKey(
  { base64 }: Pick<CryptoPlatform, 'base64'>,
  privateKey: Secret<Bytes>,
): Result<string, 'not_a_private_key'> {
  const numbers = numbersOf(privateKey.reveal())
  const modulus = unsignedOf(numbers?.[1])
  if (modulus === null) return decline('not_a_private_key')
  const algorithm = writeSequence(writeOid(OID.rsaEncryption), writeNull())
  const key = writeSequence(writeUnsigned(modulus), writeInteger(PUBLIC_EXPONENT))
  return accept(base64.encode(writeSequence(algorithm, writeBitString(key))))
}

/** The private exponent: the secret number that other keys of the account are derived from. Null for no private key. */
export function privateExponentOf(pkcs8: Bytes): Bytes | null {
  const digits = unsignedOf(numbersOf(pkcs8)?.[3])
  return digits === null ? null : joinBytes([digits])
}

/** RSAPrivateKey: version, n, e, d, … */
function numbersOf(pkcs8: Bytes): ReturnType<typeof readSequence> {
  const octets = isPrivateKey(pkcs8) ? octetsOf(readSequence(pkcs8)?.[2]) : null
  return octets === null ? null : readSequence(octets)
}
