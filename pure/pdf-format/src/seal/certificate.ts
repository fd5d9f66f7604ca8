import type { Bytes } from '@sealpost/crypto'
import { type DerElement, TAG } from '@sealpost/crypto/der'
import {
  contentOf,
  contextTag,
  encodingOf,
  insideOf,
  isSame,
  MalformedSeal,
  oidOf,
  readOne,
  SET,
  timeOf,
} from './asn1.ts'
import { readExtensions, readListUrls } from './extensions.ts'
import { OIDS } from './object-ids.ts'
import { hashOf, verifySignature } from './signature.ts'
import type { SealCrypto } from './web-crypto.ts'

/** The members of an X.509 certificate that a seal needs. */
export interface Certificate {
  readonly der: Bytes
  readonly serial: Bytes
  readonly issuer: Bytes
  readonly subject: Bytes
  readonly commonName: string | null
  readonly organization: string | null
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  /** SubjectPublicKeyInfo. */
  readonly key: Bytes
  readonly isAuthority: boolean
  /** Its key may sign revocation lists. */
  readonly maySignLists: boolean
  /** Where its issuer publishes revocation lists. */
  readonly listUrls: readonly string[]
  /** OIDs of the extended key usage; null if it is not restricted. */
  readonly purposes: readonly string[] | null
  readonly signed: Bytes
  readonly algorithm: DerElement
  readonly signature: Bytes
}

export function readCertificate(der: Bytes): Certificate {
  const [body, algorithm, signature] = insideOf(readOne(der), TAG.sequence)
  const members = [...insideOf(body, TAG.sequence)]
  if (members[0]?.tag === contextTag(0)) members.shift()
  const [serial, , issuer, validity, subject, key] = members
  const [notBefore, notAfter] = insideOf(validity, TAG.sequence)
  if (
    body === undefined ||
    issuer === undefined ||
    subject === undefined ||
    key === undefined ||
    algorithm === undefined
  )
    throw new MalformedSeal('not a certificate')
  const extensions = readExtensions(
    members.find(({ tag }) => tag === contextTag(3)),
    contextTag(3),
  )
  const valueOf = (type: string): Bytes | undefined => extensions.get(type)?.value
  return {
    der,
    serial: contentOf(serial, TAG.integer),
    issuer: encodingOf(issuer),
    subject: encodingOf(subject),
    commonName: nameOf(subject, OIDS.commonName),
    organization: nameOf(subject, OIDS.organization),
    notBefore: timeOf(notBefore),
    notAfter: timeOf(notAfter),
    key: encodingOf(key),
    isAuthority: isAuthority(valueOf(OIDS.basicConstraints)),
    maySignLists: maySignLists(valueOf(OIDS.keyUsage)),
    listUrls: readListUrls(valueOf(OIDS.listDistributionPoints)),
    purposes: purposesOf(valueOf(OIDS.extendedKeyUsage)),
    signed: encodingOf(body),
    algorithm,
    signature: contentOf(signature, TAG.bitString).subarray(1),
  }
}

/** Whether the certificate leads to one of the trusted ones, all of them valid at the time. */
export async function isTrusted(
  crypto: SealCrypto,
  leaf: Certificate,
  { others, trusted, at }: { others: readonly Certificate[]; trusted: readonly Certificate[]; at: number },
): Promise<boolean> {
  let current = leaf
  for (let step = 0; step <= MAX_CHAIN; step += 1) {
    const { der, notBefore, notAfter } = current
    if (at < notBefore || at > notAfter) return false
    if (trusted.some((one) => isSame(one.der, der))) return true
    const issuer = await findIssuer(crypto, current, [...trusted, ...others])
    if (issuer === null) return false
    current = issuer
  }
  return false
}

export const MAX_CHAIN = 6

/** The one whose key signed the certificate; null if it is not among them. */
export async function findIssuer(
  crypto: SealCrypto,
  certificate: Certificate,
  candidates: readonly Certificate[],
): Promise<Certificate | null> {
  for (const candidate of candidates) {
    if (!candidate.isAuthority || !isSame(candidate.subject, certificate.issuer)) continue
    const { signed: content, signature, algorithm } = certificate
    if (await verifySignature(crypto, { key: candidate.key, hash: hashOf(algorithm), signature, content }))
      return candidate
  }
  return null
}

function isAuthority(constraints: Bytes | undefined): boolean {
  if (constraints === undefined) return false
  const [first] = insideOf(readOne(constraints), TAG.sequence)
  return first?.tag === 1 && first.content[0] === 0xff
}

/** The second byte is the first of the bits. */
function maySignLists(usage: Bytes | undefined): boolean {
  return usage === undefined || ((contentOf(readOne(usage), TAG.bitString)[1] ?? 0) & SIGN_LISTS) !== 0
}

const SIGN_LISTS = 0x02

function purposesOf(usage: Bytes | undefined): readonly string[] | null {
  return usage === undefined ? null : insideOf(readOne(usage), TAG.sequence).map((purpose) => oidOf(purpose))
}

/** UTF8String and PrintableString, which all certificates of today use. */
function nameOf(subject: DerElement, wanted: string): string | null {
  for (const set of insideOf(subject, TAG.sequence)) {
    for (const pair of insideOf(set, SET)) {
      const [oid, value] = insideOf(pair, TAG.sequence)
      if (oidOf(oid) === wanted && value !== undefined) return decodeText(value.content)
    }
  }
  return null
}

/** Percent-decoding is the only UTF-8 decoder of the language itself. */
function decodeText(bytes: Uint8Array): string | null {
  try {
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  } catch {
    return null
  }
}
