import { type Bytes, encodeHex } from '@sealpost/crypto'
import { bytesOf } from '../../reader/characters.ts'
import { OIDS } from '../object-ids.ts'
import { type SealTrust, type VerifyHost, verifySeal } from '../verify-seal.ts'
import { AUTHORITY, fullName, keyUsage, listPoints, purposes, type TestKey, writeCertificate } from './certificate.ts'
import { writeSealedFile } from './sealed-file.ts'
import { type HashOf, type SignedDataWish, writeSignedData } from './signed-data.ts'
import { type TokenWish, writeToken } from './timestamp.ts'

export interface SealHost extends VerifyHost {
  readonly hash: HashOf
  /** P-256. */
  readonly newKey: () => TestKey
}

export interface SealWish {
  readonly data?: Partial<SignedDataWish>
  /** Undefined: no time-stamp. */
  readonly token?: Partial<TokenWish>
  readonly lists?: readonly Bytes[]
  /** A text is written as it is. */
  readonly record?: unknown
}

const SIGNED = bytesOf('%PDF-1.7 the file that was signed')
const LIST_URL = 'http://lists.example/root.crl'

/** A root, a seal and a time-stamping authority, and files that are sealed with them. */
export function createSealKit(host: SealHost) {
  const { hash } = host
  const parties = makeParties(host)
  const { root, sealKey, sealCertificate, tsaKey, tsaCertificate, rootCertificate } = parties
  const record = {
    format: 1,
    document_id: 'doc_7',
    document_name: 'Terms',
    signed_sha256: encodeHex(hash('sha256', SIGNED)),
    sealed_at: '2026-05-01T12:00:00.000+00:00',
    acts: [],
  }
  const usual = { hash, key: sealKey, certificates: [sealCertificate], issuer: root.name, serial: 2 }
  const tokenOver = (stamped: Bytes, wish: Partial<TokenWish>): Bytes => {
    const own = { hash, key: tsaKey, certificates: [tsaCertificate], issuer: root.name, serial: 3 }
    return writeToken({ ...own, imprint: hash('sha256', stamped), ...wish })
  }
  const sign = (content: Bytes, { data, token }: SealWish): Bytes => {
    const wish = { content, ...usual, ...data }
    if (token === undefined) return writeSignedData(wish)
    let signature: Bytes = new Uint8Array()
    writeSignedData({ ...wish, key: { ...wish.key, sign: (signed) => (signature = wish.key.sign(signed)) } })
    const unsigned = { [OIDS.timeStampToken]: tokenOver(signature, token) }
    return writeSignedData({ ...wish, key: { ...wish.key, sign: () => signature }, unsigned })
  }
  return {
    ...parties,
    SIGNED,
    LIST_URL,
    record,
    sealed: (wish: SealWish = {}): Bytes => {
      const { lists = [], record: written = record } = wish
      const text = typeof written === 'string' ? written : JSON.stringify(written)
      return writeSealedFile({ signed: SIGNED, record: bytesOf(text), lists, sign: (content) => sign(content, wish) })
    },
    verify: async (
      file: Bytes,
      trust: SealTrust = { certificates: [rootCertificate], timestampCertificates: [rootCertificate] },
    ) => {
      const outcome = await verifySeal(host, file, trust)
      return outcome.ok ? outcome.value : outcome.refusal
    },
    party: (name: string, certificate: Bytes) => ({
      name,
      organization: 'Sealpost test',
      fingerprint: encodeHex(hash('sha256', certificate)),
    }),
  }
}

function makeParties({ newKey }: SealHost) {
  const [rootKey, sealKey, tsaKey] = [newKey(), newKey(), newKey()]
  const root = { name: 'Test root', key: rootKey }
  const extensions = [AUTHORITY, keyUsage(0x06)]
  const rootCertificate = writeCertificate({ subject: root.name, key: rootKey, issuer: root, extensions })
  const lists = [listPoints(fullName(LIST_URL))]
  const sealWish = { subject: 'Test seal', key: sealKey, issuer: root, serial: 2, extensions: lists }
  const stamping = [purposes(OIDS.timeStamping)]
  const tsaWish = { subject: 'Test time', key: tsaKey, issuer: root, serial: 3, extensions: stamping }
  return {
    root,
    rootKey,
    rootCertificate,
    sealKey,
    sealWish,
    sealCertificate: writeCertificate(sealWish),
    tsaKey,
    tsaWish,
    tsaCertificate: writeCertificate(tsaWish),
  }
}
