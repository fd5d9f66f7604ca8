import type { Bytes } from '@sealpost/crypto'
import { type DerElement, TAG } from '@sealpost/crypto/der'
import {
  contentOf,
  contextTag,
  encodingOf,
  GENERALIZED_TIME,
  hexOf,
  insideOf,
  isSame,
  MalformedSeal,
  readOne,
  timeOf,
  UTC_TIME,
} from './asn1.ts'
import type { Certificate } from './certificate.ts'
import { type Extension, readExtensions, urlsOf } from './extensions.ts'
import { OIDS } from './object-ids.ts'

/** A certificate revocation list (RFC 5280). */
export interface RevocationList {
  readonly der: Bytes
  readonly issuer: Bytes
  /** Milliseconds since 1970. */
  readonly thisUpdate: number
  /** Null if it has none, so that no time is known until which it counts. */
  readonly nextUpdate: number | null
  /** Serial numbers of the revoked certificates, in hexadecimal. */
  readonly revoked: ReadonlySet<string>
  readonly extensions: ReadonlyMap<string, Extension>
  readonly signed: Bytes
  readonly algorithm: DerElement
  readonly signature: Bytes
}

/** Throws `MalformedSeal` for anything else. */
export function readRevocationList(der: Bytes): RevocationList {
  const [body, algorithm, signature] = insideOf(readOne(der), TAG.sequence)
  const members = [...insideOf(body, TAG.sequence)]
  if (members[0]?.tag === TAG.integer) members.shift()
  const [, issuer, thisUpdate, ...others] = members
  if (body === undefined || issuer?.tag !== TAG.sequence || algorithm === undefined)
    throw new MalformedSeal('not a revocation list')
  const nextUpdate = others[0]?.tag === UTC_TIME || others[0]?.tag === GENERALIZED_TIME ? timeOf(others[0]) : null
  const entries = others.find(({ tag }) => tag === TAG.sequence)
  return {
    der,
    issuer: encodingOf(issuer),
    thisUpdate: timeOf(thisUpdate),
    nextUpdate,
    revoked: new Set(entries === undefined ? [] : insideOf(entries, TAG.sequence).map(serialOf)),
    extensions: readExtensions(
      others.find(({ tag }) => tag === contextTag(0)),
      contextTag(0),
    ),
    signed: encodingOf(body),
    algorithm,
    signature: contentOf(signature, TAG.bitString).subarray(1),
  }
}

function serialOf(entry: DerElement): string {
  return hexOf(contentOf(insideOf(entry, TAG.sequence)[0], TAG.integer))
}

export function isRevoked(list: RevocationList, { serial }: Certificate): boolean {
  return list.revoked.has(hexOf(serial))
}

/**
 * Whether a certificate that is missing in the list is not revoked: the list has the same issuer, and is about all
 * certificates of it, or about a part to which this one belongs.
 */
export function isAbout(list: RevocationList, certificate: Certificate): boolean {
  if (!isSame(list.issuer, certificate.issuer)) return false
  for (const [oid, { value, isCritical }] of list.extensions) {
    if (oid === OIDS.issuingDistributionPoint && !isInScope(value, certificate)) return false
    if (oid !== OIDS.issuingDistributionPoint && isCritical) return false
  }
  return true
}

const ONLY_USERS = 0x81
const ONLY_AUTHORITIES = 0x82

function isInScope(point: Bytes, { isAuthority, listUrls }: Certificate): boolean {
  return insideOf(readOne(point), TAG.sequence).every((member) => {
    if (member.tag === contextTag(0)) return urlsOf(member).some((url) => listUrls.includes(url))
    // Of some reasons only, of attributes, or with certificates of other issuers.
    if (member.tag !== ONLY_USERS && member.tag !== ONLY_AUTHORITIES) return member.content[0] === 0
    return member.content[0] === 0 || isAuthority === (member.tag === ONLY_AUTHORITIES)
  })
}
