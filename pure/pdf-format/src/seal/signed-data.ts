import type { Bytes } from '@sealpost/crypto'
import { type DerElement, TAG } from '@sealpost/crypto/der'
import { writeElement } from '@sealpost/crypto/der'
import { contentOf, contextTag, encodingOf, insideOf, isSame, MalformedSeal, oidOf, readOne, SET } from './asn1.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import { HASHES, type HashName, OIDS } from './object-ids.ts'
import { hashOf, verifySignature } from './signature.ts'
import { digest, type SealCrypto } from './web-crypto.ts'

/** A CMS SignedData (RFC 5652) with one signer. */
export interface SignedData {
  readonly contentType: string
  /** Null if the content is elsewhere. */
  readonly content: Bytes | null
  readonly certificates: readonly Certificate[]
  readonly signer: Certificate
  readonly digestHash: HashName
  readonly signatureHash: HashName
  readonly signature: Bytes
  /** As they were signed: a SET. */
  readonly signedAttributes: Bytes
  readonly signed: Attributes
  readonly unsigned: Attributes
}

/** The first value of each attribute. */
type Attributes = ReadonlyMap<string, DerElement>

export function readSignedData(bytes: Bytes): SignedData {
  const [type, wrapped] = insideOf(readOne(bytes), TAG.sequence)
  if (oidOf(type) !== OIDS.signedData) throw new MalformedSeal('not signed data')
  const members = insideOf(insideOf(wrapped, contextTag(0))[0], TAG.sequence)
  const [contentType, content] = insideOf(members[2], TAG.sequence)
  const certificates = insideOf(
    members.find(({ tag }) => tag === contextTag(0)),
    contextTag(0),
  ).map((certificate) => readCertificate(encodingOf(certificate)))
  const [info, ...others] = insideOf(members.at(-1), SET)
  if (others.length > 0) throw new MalformedSeal('more than one signer')
  return {
    contentType: oidOf(contentType),
    content: content === undefined ? null : contentOf(insideOf(content, contextTag(0))[0], TAG.octetString),
    certificates,
    ...readSigner(info, certificates),
  }
}

function readSigner(info: DerElement | undefined, certificates: readonly Certificate[]) {
  const [, id, digestAlgorithm, attributes, algorithm, signature, unsigned] = insideOf(info, TAG.sequence)
  const digestHash = HASHES.get(oidOf(insideOf(digestAlgorithm, TAG.sequence)[0]))
  if (digestHash === undefined || digestHash === 'SHA-1') throw new MalformedSeal('unknown digest algorithm')
  return {
    signer: findSigner(id, certificates),
    digestHash,
    signatureHash: hashOf(algorithm, digestAlgorithm),
    signature: contentOf(signature, TAG.octetString),
    signedAttributes: writeElement(SET, contentOf(attributes, contextTag(0))),
    signed: readAttributes(insideOf(attributes, contextTag(0))),
    unsigned: unsigned === undefined ? new Map() : readAttributes(insideOf(unsigned, contextTag(1))),
  }
}

function findSigner(id: DerElement | undefined, certificates: readonly Certificate[]): Certificate {
  const [issuer, serial] = insideOf(id, TAG.sequence)
  if (issuer === undefined || serial === undefined) throw new MalformedSeal('the signer has no name')
  const found = certificates.find(
    (one) => isSame(one.issuer, encodingOf(issuer)) && isSame(one.serial, contentOf(serial, TAG.integer)),
  )
  if (found === undefined) throw new MalformedSeal("the signer's certificate is missing")
  return found
}

function readAttributes(elements: readonly DerElement[]): Attributes {
  const attributes = new Map<string, DerElement>()
  for (const element of elements) {
    const [oid, values] = insideOf(element, TAG.sequence)
    const [value] = insideOf(values, SET)
    if (value === undefined || attributes.has(oidOf(oid))) throw new MalformedSeal('an attribute is empty or repeated')
    attributes.set(oidOf(oid), value)
  }
  return attributes
}

/** The signature matches the content, its type and the signer's certificate, which the signature names. */
export async function verifySignedData(crypto: SealCrypto, data: SignedData, content: Bytes): Promise<boolean> {
  const { signed, signer, signature, signatureHash: hash } = data
  const stated = contentOf(signed.get(OIDS.messageDigest), TAG.octetString)
  if (!isSame(stated, await digest(crypto, data.digestHash, content))) return false
  if (oidOf(signed.get(OIDS.contentType)) !== data.contentType) return false
  if (!(await namesSigner(crypto, data))) return false
  return verifySignature(crypto, { key: signer.key, hash, signature, content: data.signedAttributes })
}

/** signing-certificate-v2, or its first version, which time-stamping authorities still use. */
async function namesSigner(crypto: SealCrypto, { signed, signer }: SignedData): Promise<boolean> {
  const second = signed.get(OIDS.signingCertificateV2)
  const named = second ?? signed.get(OIDS.signingCertificate)
  if (named === undefined) return false
  const [list] = insideOf(named, TAG.sequence)
  const [first] = insideOf(list, TAG.sequence)
  const members = insideOf(first, TAG.sequence)
  const [algorithm] = members
  const hasAlgorithm = second !== undefined && algorithm?.tag === TAG.sequence
  const fallback: HashName = second === undefined ? 'SHA-1' : 'SHA-256'
  const hash = hasAlgorithm ? HASHES.get(oidOf(insideOf(algorithm, TAG.sequence)[0])) : fallback
  if (hash === undefined) return false
  const stated = contentOf(members[hasAlgorithm ? 1 : 0], TAG.octetString)
  return isSame(stated, await digest(crypto, hash, signer.der))
}
