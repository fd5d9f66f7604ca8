import { type Bytes, joinBytes } from '@sealpost/crypto'
import { writeElement, writeInteger, writeOctets, writeSequence } from '@sealpost/crypto/der'
import { OIDS } from '../object-ids.ts'
import { algorithm, nameOf, oid, type TestKey } from './certificate.ts'

export type HashOf = (name: 'sha1' | 'sha256' | 'sha384' | 'sha512', content: Bytes) => Bytes

export interface SignedDataWish {
  readonly hash: HashOf
  readonly content: Bytes
  readonly key: TestKey
  /** The first is that of the signer. */
  readonly certificates: readonly Bytes[]
  readonly issuer: string
  readonly serial?: number
  readonly contentType?: string
  /** Whether the content is inside. */
  readonly isInside?: boolean
  /** OID and value; replace those that a valid one has. */
  readonly signed?: Readonly<Record<string, Bytes | null>>
  readonly unsigned?: Readonly<Record<string, Bytes>>
  /** Of the content; SHA-256 unless told. */
  readonly digestAlgorithm?: string
  readonly signatureAlgorithm?: string
  /** One unless told. */
  readonly signers?: number
}

/** CMS. */
export function writeSignedData(wish: SignedDataWish): Bytes {
  const { hash, content, key, certificates, issuer, serial = 1, contentType = OIDS.data } = wish
  const { digestAlgorithm = OIDS.sha256, signatureAlgorithm = key.algorithm, unsigned, signers = 1 } = wish
  const signed = {
    [OIDS.contentType]: oid(contentType),
    [OIDS.messageDigest]: writeOctets(hash('sha256', content)),
    [OIDS.signingCertificateV2]: namingV2(hash('sha256', certificates[0] ?? new Uint8Array())),
    ...wish.signed,
  }
  const attributes = attributesOf(signed)
  const info = writeSequence(
    writeInteger(1),
    writeSequence(nameOf(issuer), writeInteger(serial)),
    algorithm(digestAlgorithm),
    writeElement(0xa0, attributes),
    algorithm(signatureAlgorithm),
    writeOctets(key.sign(writeElement(0x31, attributes))),
    ...(unsigned === undefined ? [] : [writeElement(0xa1, attributesOf(unsigned))]),
  )
  const inside = wish.isInside === true ? [writeElement(0xa0, writeOctets(content))] : []
  const data = writeSequence(
    writeInteger(1),
    writeElement(0x31, algorithm(digestAlgorithm)),
    writeSequence(oid(contentType), ...inside),
    writeElement(0xa0, joinBytes(certificates)),
    writeElement(0x31, joinBytes(Array.from({ length: signers }, () => info))),
  )
  return writeSequence(oid(OIDS.signedData), writeElement(0xa0, data))
}

function attributesOf(attributes: Readonly<Record<string, Bytes | null>>): Bytes {
  return joinBytes(
    Object.entries(attributes).flatMap(([type, value]) =>
      value === null ? [] : [writeSequence(oid(type), writeElement(0x31, value))],
    ),
  )
}

/** ESSCertID of either version: a hash, with the OID of its algorithm before it where that is not the default. */
export function namingV2(hash: Bytes, hashAlgorithm?: string): Bytes {
  const how = hashAlgorithm === undefined ? [] : [algorithm(hashAlgorithm)]
  return writeSequence(writeSequence(writeSequence(...how, writeOctets(hash))))
}
