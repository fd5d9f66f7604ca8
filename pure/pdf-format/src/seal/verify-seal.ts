import { type Bytes, decodeHex, encodeHex, joinBytes, type Utf8Codec } from '@sealpost/crypto'
import { readElements } from '@sealpost/crypto/der'
import { accept, decline, type Result } from '@sealpost/kernel'
import { latin1 } from '../reader/characters.ts'
import { encodingOf, MalformedSeal } from './asn1.ts'
import { type Certificate, isTrusted, readCertificate } from './certificate.ts'
import { OIDS } from './object-ids.ts'
import { parseRecord, type SealRecord } from './record.ts'
import { readRevocationList, type RevocationList } from './revocation-list.ts'
import { readRevocation, type RevocationState } from './revocation.ts'
import { findSeal, type FoundSeal, type SealPlaces } from './seal-dictionary.ts'
import { readSignedData, type SignedData, verifySignedData } from './signed-data.ts'
import { type Timestamp, verifyTimestamp } from './timestamp.ts'
import { digest, type SealCrypto } from './web-crypto.ts'

export interface SealReport {
  /** The signature matches the bytes it covers, and those are all bytes of the file. */
  readonly isIntact: boolean
  /** False if bytes were added after the seal. */
  readonly coversWholeFile: boolean
  readonly bytesAfterSeal: number
  /** The certificate of the seal leads to one that the caller trusts, was valid at `sealedAt`, and is not revoked. */
  readonly isTrusted: boolean
  readonly sealedBy: SealParty
  /** Of the time-stamp, or what the platform wrote; milliseconds since 1970. */
  readonly sealedAt: number | null
  readonly timestamp: { readonly at: number; readonly authority: SealParty; readonly isTrusted: boolean } | null
  readonly timestampState: TimestampState
  /** What the file carries about the revocation of its certificates; empty if it carries nothing. */
  readonly revocation: readonly SealRevocation[]
  /** Who did what; null if it cannot be read. */
  readonly record: SealRecord | null
  /** Computed from the file: the bytes before the Signatures page. */
  readonly signedSha256: string
  /** The signers' bytes are those in this file. */
  readonly isSignedContent: boolean
}

/**
 * A time-stamp is outside of what is signed, so the record says whether there is one. `missing`: it was removed; `far`: it
 * is of another time than the record, so it was exchanged; `unknown`: the record does not say, or cannot be read.
 */
export type TimestampState = 'as_recorded' | 'missing' | 'far' | 'unknown'

export interface SealParty {
  readonly name: string | null
  readonly organization: string | null
  /** SHA-256 of the certificate, lowercase hexadecimal. */
  readonly fingerprint: string
}

/** What a revocation list inside the file says about one certificate. */
export interface SealRevocation {
  readonly kind: 'crl'
  /** Whether the seal or its time-stamp depends on the certificate. */
  readonly of: 'seal' | 'timestamp'
  /** That of the seal or of the time-stamping authority, or one above it. */
  readonly certificate: SealParty
  /** Milliseconds since 1970. */
  readonly thisUpdate: number
  readonly nextUpdate: number | null
  readonly isSignedByIssuer: boolean
  /** The next list was not due yet when the file was sealed. */
  readonly isCurrent: boolean
  /** At the time of the seal. `unknown`: the list is not signed by the issuer of the certificate, or was out of date. */
  readonly status: 'good' | 'revoked' | 'unknown'
}

export interface SealTrust {
  /** DER certificates: of seals or of the authorities that issue them. */
  readonly certificates: readonly Bytes[]
  /** The same for time-stamps. */
  readonly timestampCertificates?: readonly Bytes[]
}

export interface VerifyHost {
  readonly crypto: SealCrypto
  readonly utf8: Utf8Codec
}

/**
 * Checks the seal of a file without reading its objects, in servers and browsers. A file is sealed as it is shown only
 * if `isIntact`, `isTrusted` and `isSignedContent` are true.
 */
export async function verifySeal(
  host: VerifyHost,
  file: Bytes,
  trust: SealTrust,
): Promise<Result<SealReport, 'no_seal' | 'malformed_seal'>> {
  const places = findSeal(file)
  if (places === null) return decline('no_seal')
  try {
    return accept(await verify(host, file, places, trust))
  } catch (error) {
    if (error instanceof MalformedSeal) return decline('malformed_seal')
    throw error
  }
}

async function verify(host: VerifyHost, file: Bytes, places: FoundSeal, trust: SealTrust): Promise<SealReport> {
  const { crypto } = host
  const data = readContents(file, places)
  const covered = joinBytes([
    file.subarray(0, places.contentsStart - 1),
    file.subarray(places.contentsEnd + 1, places.end),
  ])
  const matches = places.end <= file.length && (await verifySignedData(crypto, data, covered))
  const record = readRecord(host, file, places)
  // One that the record does not know was added later, and counts for nothing.
  const stamp = record?.has_timestamp === false ? null : await readTimestamp(crypto, data, trust)
  const timestamp = stamp === 'invalid' ? null : stamp
  const timestampState = stateOf(record, stamp)
  const sealedAt = timestampState === 'far' ? timeOf(record) : (timestamp?.at ?? timeOf(record))
  const signedSha256 = encodeHex(await digest(crypto, 'SHA-256', file.slice(0, places.signedLength)))
  const coversWholeFile = places.end === file.length
  const revocation = await revocationOf(crypto, { data, timestamp, lists: listsOf(file, places), sealedAt, trust })
  const isRevoked = (of: SealRevocation['of']): boolean =>
    revocation.some((one) => one.of === of && one.status === 'revoked')
  return {
    isIntact: matches && coversWholeFile && stamp !== 'invalid',
    coversWholeFile,
    bytesAfterSeal: Math.max(0, file.length - places.end),
    isTrusted:
      sealedAt !== null && !isRevoked('seal') && (await leadsToTrusted(crypto, data, trust.certificates, sealedAt)),
    sealedBy: await partyOf(crypto, data.signer),
    sealedAt,
    timestamp:
      timestamp === null
        ? null
        : {
            at: timestamp.at,
            authority: await partyOf(crypto, timestamp.authority),
            isTrusted: timestamp.isTrusted && !isRevoked('timestamp'),
          },
    timestampState,
    revocation,
    record,
    signedSha256,
    isSignedContent: record?.signed_sha256 === signedSha256,
  }
}

/** The digits are followed by zeros up to the end of the space that was reserved, and by nothing else. */
function readContents(file: Bytes, { contentsStart, contentsEnd }: SealPlaces): SignedData {
  const contents = decodeHex(latin1(file, contentsStart, contentsEnd).toLowerCase())
  if (contents === null) throw new MalformedSeal('the contents are not hexadecimal')
  const length = lengthOf(contents)
  if (contents.subarray(length).some((byte) => byte !== 0))
    throw new MalformedSeal('the signature has other data behind it')
  return readSignedData(contents.subarray(0, length))
}

/** Of the first DER element: SEQUENCE with a length of two or three bytes. */
function lengthOf(contents: Bytes): number {
  const [tag, size = 0] = contents
  const digits = size - 0x80
  if (tag !== 0x30 || digits < 1 || digits > 3) throw new MalformedSeal('no signature')
  const length = 2 + digits + contents.subarray(2, 2 + digits).reduce((sum, digit) => sum * 256 + digit, 0)
  if (length > contents.length || readElements(contents.subarray(0, length)) === null)
    throw new MalformedSeal('the signature is cut off')
  return length
}

function readRecord({ utf8 }: VerifyHost, file: Bytes, { recordStart, recordLength }: SealPlaces): SealRecord | null {
  const text = utf8.decode(file.subarray(recordStart, recordStart + recordLength))
  return text === null ? null : parseRecord(text)
}

async function readTimestamp(
  crypto: SealCrypto,
  data: SignedData,
  trust: SealTrust,
): Promise<Timestamp | 'invalid' | null> {
  const token = data.unsigned.get(OIDS.timeStampToken)
  if (token === undefined) return null
  const trusted = (trust.timestampCertificates ?? []).map(readCertificate)
  return (await verifyTimestamp(crypto, encodingOf(token), data.signature, trusted)) ?? 'invalid'
}

/** The time between the record and its time-stamp; the clock of the authority may differ by as much. */
const MAX_DISTANCE_MS = 600_000

function stateOf(record: SealRecord | null, stamp: Timestamp | 'invalid' | null): TimestampState {
  if (record?.has_timestamp === undefined) return 'unknown'
  if (!record.has_timestamp || stamp === 'invalid') return 'as_recorded'
  if (stamp === null) return 'missing'
  // A record without a readable time has no distance that is small.
  return Math.abs(stamp.at - (timeOf(record) ?? Infinity)) <= MAX_DISTANCE_MS ? 'as_recorded' : 'far'
}

/** What is no list is left out: it proves nothing. */
function listsOf(file: Bytes, { lists }: FoundSeal): readonly RevocationList[] {
  return lists.flatMap(({ start, length }) => {
    try {
      return [readRevocationList(file.slice(start, start + length))]
    } catch (error) {
      if (error instanceof MalformedSeal) return []
      throw error
    }
  })
}

interface Carried {
  readonly data: SignedData
  readonly timestamp: Timestamp | null
  readonly lists: readonly RevocationList[]
  readonly sealedAt: number | null
  readonly trust: SealTrust
}

async function revocationOf(
  crypto: SealCrypto,
  { data, timestamp, lists, sealedAt, trust }: Carried,
): Promise<readonly SealRevocation[]> {
  if (lists.length === 0 || sealedAt === null) return []
  const read = async (
    of: SealRevocation['of'],
    leaf: Certificate,
    known: readonly Certificate[],
    more: readonly Bytes[],
  ) => {
    const others = [...more.map(readCertificate), ...known]
    const states = await readRevocation(crypto, leaf, { lists, others, at: sealedAt })
    return Promise.all(states.map((state) => factOf(crypto, of, state)))
  }
  const ofSeal = await read('seal', data.signer, data.certificates, trust.certificates)
  if (timestamp === null) return ofSeal
  const { authority, certificates } = timestamp
  return [...ofSeal, ...(await read('timestamp', authority, certificates, trust.timestampCertificates ?? []))]
}

async function factOf(
  crypto: SealCrypto,
  of: SealRevocation['of'],
  { certificate, list, isSignedByIssuer, isCurrent, status }: RevocationState,
): Promise<SealRevocation> {
  const { thisUpdate, nextUpdate } = list
  const party = await partyOf(crypto, certificate)
  return { kind: 'crl', of, certificate: party, thisUpdate, nextUpdate, isSignedByIssuer, isCurrent, status }
}

function leadsToTrusted(crypto: SealCrypto, data: SignedData, trusted: readonly Bytes[], at: number): Promise<boolean> {
  return isTrusted(crypto, data.signer, { others: data.certificates, trusted: trusted.map(readCertificate), at })
}

async function partyOf(crypto: SealCrypto, certificate: Certificate): Promise<SealParty> {
  const { commonName: name, organization, der } = certificate
  return { name, organization, fingerprint: encodeHex(await digest(crypto, 'SHA-256', der)) }
}

function timeOf(record: SealRecord | null): number | null {
  const ms = Date.parse(record?.sealed_at ?? '')
  return Number.isNaN(ms) ? null : ms
}
