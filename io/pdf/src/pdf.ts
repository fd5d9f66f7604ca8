import { createHash, webcrypto } from 'node:crypto'
import { type Bytes, createUtf8Codec } from '@sealpost/crypto'
import { accept, decline, formatInstant, type Instant, type Result } from '@sealpost/kernel'
import {
  findSeal,
  type PdfFacts,
  type PdfRefusal,
  readCertificate,
  type SealAct,
  type SealPlaces,
  type SealRecord,
  type TemplateScan,
  verifySeal,
} from '@sealpost/pdf-format'
import type { Answer, Job } from './child/frames.ts'
import { openPool, type PoolOptions, type PoolOutcome, type Undecided } from './child/pool.ts'
import { type FillReport, reportOf } from './fill/fill-report.ts'
import { signDetached } from './seal/cms.ts'
import {
  NO_VALIDATION_DATA,
  openRevocationLists,
  type RevocationOptions,
  type ValidationData,
} from './seal/revocation-lists.ts'
import { SealError } from './seal/seal-error.ts'
import type { SealSigner } from './seal/signer.ts'
import { requestTimestamp, type TimestampOptions } from './seal/timestamp-client.ts'

/** Inspects and seals PDFs, each in a process of its own. `owner`: the company whose file it is. */
export interface Pdf {
  /** The gate: facts, or why the file cannot be sealed. `busy`: too many wait, or the process was ended. */
  inspect(owner: string, file: Uint8Array): Promise<Result<PdfFacts, PdfRefusal | 'busy'>>
  /** The same gate, and what the file offers as a template of documents. */
  scanTemplate(owner: string, file: Uint8Array): Promise<Result<TemplateScan, PdfRefusal | 'busy'>>
  /**
   * The file with values instead of its tags: templates and PDFs of participants. Tags without a value print empty; a
   * file without tags stays as it is. Keys are in lower case, values are texts as they are printed. Hand over only the
   * values of tags: all of them are sent to the process.
   */
  fillTemplate(
    owner: string,
    file: Uint8Array,
    values: ReadonlyMap<string, string>,
  ): Promise<Result<Filled, PdfRefusal | 'busy'>>
  /**
   * The file with a Signatures page and the seal of the platform; its beginning is the given file, byte for byte. Throws
   * `SealError` if the seal cannot be made for a reason that is not in the file.
   */
  seal(file: Uint8Array, request: SealRequest): Promise<Result<Sealed, PdfRefusal | 'busy'>>
  close(): Promise<void>
}

export interface Filled {
  readonly bytes: Bytes
  readonly report: FillReport
}

export interface SealRequest {
  readonly owner: string
  readonly documentId: string
  readonly documentName: string
  readonly sealedAt: Instant
  /** In the order in which they are to be listed. */
  readonly acts: readonly SealAct[]
}

export interface Sealed {
  readonly bytes: Bytes
  /** Of the sealed file, lowercase hexadecimal. */
  readonly sha256: string
  /** Of the given file. */
  readonly signedSha256: string
}

export interface PdfOptions {
  /** Absent where PDFs are only inspected. */
  readonly signer?: SealSigner
  /** Absent: the seal has no time-stamp (B-B); present: every seal has one (B-T), or is not made. */
  readonly timestamp?: TimestampOptions
  /** Present: seals carry the revocation lists that the issuers of their certificates publish (B-LT). */
  readonly revocation?: RevocationOptions
  readonly pool?: PoolOptions
}

/** Certificates and attributes; a time-stamp brings the certificates of its authority. */
const RESERVED_BYTES = 12 * 1024
const RESERVED_FOR_TIMESTAMP = 12 * 1024

export function openPdf(options: PdfOptions = {}): Pdf {
  const { signer, timestamp } = options
  const pool = openPool(options.pool)
  const readValidation = validationOf(options)
  const ask = async (owner: string, job: Job, file: Uint8Array): Promise<Result<Answer, PdfRefusal | 'busy'>> => {
    const outcome = await pool.run(owner, job, file)
    if (isUndecided(outcome)) return decline('busy')
    // A limit of the process was reached: the file costs more than any valid one.
    if (outcome.type !== 'answered') return decline('too_complex')
    return outcome.answer.type === 'refused' ? decline(outcome.answer.refusal) : accept(outcome.answer)
  }
  return {
    async inspect(owner, file) {
      const read = await ask(owner, { type: 'inspect' }, file)
      if (!read.ok) return read
      return read.value.type === 'accepted' ? accept(read.value.facts) : decline('too_complex')
    },
    async scanTemplate(owner, file) {
      const read = await ask(owner, { type: 'scan' }, file)
      if (!read.ok) return read
      return read.value.type === 'scanned' ? accept(read.value.scan) : decline('too_complex')
    },
    async fillTemplate(owner, file, values) {
      const outcome = await pool.run(owner, { type: 'fill', values: Object.fromEntries(values) }, file)
      if (isUndecided(outcome)) return decline('busy')
      if (outcome.type !== 'answered') return decline('too_complex')
      const { answer, bytes } = outcome
      if (answer.type === 'refused') return decline(answer.refusal)
      if (answer.type !== 'filled') return decline('too_complex')
      const report = reportOf(answer.outcome, new Set(values.keys()))
      return accept({ bytes: Uint8Array.from(bytes.length === 0 ? file : bytes), report })
    },
    async seal(file, request) {
      if (signer === undefined) throw new SealError('signer', 'there is no key to seal with')
      const record = recordOf(file, request, timestamp !== undefined)
      const validation = await readValidation()
      const reservedBytes = RESERVED_BYTES + (timestamp === undefined ? 0 : RESERVED_FOR_TIMESTAMP)
      const signerName = readCertificate(signer.certificate).commonName ?? 'Sealpost'
      const outcome = await pool.run(
        request.owner,
        { type: 'seal', record, signerName, reservedBytes, validation: encoded(validation) },
        file,
      )
      if (isUndecided(outcome)) return decline('busy')
      if (outcome.type !== 'answered') throw new SealError('process', `the process that draws the page ${outcome.type}`)
      if (outcome.answer.type === 'refused') return decline(outcome.answer.refusal)
      const bytes = Uint8Array.from(Buffer.concat([file, outcome.bytes]))
      const places = checkedPlaces(bytes, file.length, { record, validation })
      await sign(bytes, places, signer, timestamp)
      await check(bytes, signer, timestamp)
      return accept({ bytes, sha256: sha256(bytes), signedSha256: record.signed_sha256 })
    },
    close: () => pool.close(),
  }
}

function isUndecided(outcome: PoolOutcome): outcome is { readonly type: Undecided } {
  return outcome.type === 'busy' || outcome.type === 'killed' || outcome.type === 'stuck'
}

function validationOf({ signer, timestamp, revocation }: PdfOptions): () => Promise<ValidationData> {
  if (signer === undefined || revocation === undefined) return async () => NO_VALIDATION_DATA
  const own = [signer.certificate, ...signer.chain].map((der) => readCertificate(der))
  return openRevocationLists([...own, ...(timestamp?.trusted ?? [])], revocation)
}

function encoded({ certificates, lists }: ValidationData) {
  return { certificates: certificates.map(base64), lists: lists.map(base64) }
}

function base64(bytes: Bytes): string {
  return Buffer.from(bytes).toString('base64')
}

function recordOf(
  file: Uint8Array,
  { documentId, documentName, sealedAt, acts }: SealRequest,
  isStamped: boolean,
): SealRecord {
  return {
    format: 1,
    document_id: documentId,
    document_name: documentName,
    signed_sha256: sha256(file),
    sealed_at: formatInstant(sealedAt),
    has_timestamp: isStamped,
    acts,
  }
}

/**
 * The child made the update, and is not trusted: the seal must be about this file, this record and these lists, and
 * cover all. What it could still change is the look of the Signatures page, and certificates beside the lists.
 */
function checkedPlaces(bytes: Bytes, signedLength: number, { record, validation }: Expected): SealPlaces {
  const places = findSeal(bytes)
  const written = Buffer.from(JSON.stringify(record), 'utf8')
  if (places === null || places.signedLength !== signedLength || places.end !== bytes.length)
    throw new SealError('process', 'the update has no place for a seal')
  const { recordStart, recordLength } = places
  if (written.compare(bytes, recordStart, recordStart + recordLength) !== 0)
    throw new SealError('process', 'the update has another record')
  const lists = places.lists.map(({ start, length }) => bytes.subarray(start, start + length))
  const isSame = (list: Bytes, at: number): boolean => Buffer.compare(list, lists[at] ?? new Uint8Array()) === 0
  if (lists.length !== validation.lists.length || !validation.lists.every(isSame))
    throw new SealError('process', 'the update has other revocation lists')
  return places
}

interface Expected {
  readonly record: SealRecord
  readonly validation: ValidationData
}

/** Writes the signature into its place. */
async function sign(bytes: Bytes, places: SealPlaces, signer: SealSigner, timestamp: TimestampOptions | undefined) {
  const { contentsStart, contentsEnd } = places
  const digest = createHash('sha256')
    .update(bytes.subarray(0, contentsStart - 1))
    .update(bytes.subarray(contentsEnd + 1))
    .digest()
  const stamp = timestamp === undefined ? null : (signature: Bytes) => requestTimestamp(timestamp, signature)
  const contents = Buffer.from(await signDetached(signer, Uint8Array.from(digest), stamp)).toString('hex')
  if (contents.length > contentsEnd - contentsStart)
    throw new SealError('signer', 'the certificates of the seal need more room than is reserved')
  bytes.set(Buffer.from(contents, 'latin1'), contentsStart)
}

/** What leaves here is valid: a key that is not that of the certificate is found now, and not by a reader. */
async function check(bytes: Bytes, signer: SealSigner, timestamp: TimestampOptions | undefined): Promise<void> {
  const host = { crypto: webcrypto, utf8: createUtf8Codec(globalThis) }
  const report = await verifySeal(host, bytes, {
    certificates: [signer.certificate],
    timestampCertificates: (timestamp?.trusted ?? []).map(({ der }) => der),
  })
  if (!report.ok || !report.value.isIntact || !report.value.isSignedContent)
    throw new SealError('signer', 'the seal that was made is not valid')
  if (report.value.timestampState !== 'as_recorded')
    throw new SealError('timestamp', 'the time-stamp is not of the time of the seal')
  const revoked = report.value.revocation.find(({ status }) => status === 'revoked')
  if (revoked !== undefined)
    throw new SealError(revoked.of === 'seal' ? 'signer' : 'timestamp', `${revoked.certificate.name} is revoked`)
  if (!report.value.isTrusted) throw new SealError('signer', 'the certificate of the seal is not valid at this time')
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
