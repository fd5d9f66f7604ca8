import { createCryptoPlatform, importOneTimeKey, openOnce } from '@sealpost/crypto'
import { isPdf } from '@sealpost/field-types'
import { accept, decline, type Instant, type Result, type Secret } from '@sealpost/kernel'
import { sha256Of } from '@sealpost/objects'
import type { SealRequest } from '@sealpost/pdf'
import type { Read } from '@sealpost/postgres'
import type { ActRefusal, DocumentAct } from '@sealpost/protocol'
import { fetchOffered, type OfferedObject } from '../../../../platform/fetch-offered.ts'
import { findConnection } from '../../../connections/index.ts'
import { findService } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ActRequest, DocumentId, RunCopy, SealedCopy, SealId, StoredDocument } from '../model.ts'
import { decideAct, needsSeal, signatureOf } from '../rules/acts.ts'
import { actsOnOutput, completesOutput } from '../rules/run-copies.ts'
import { sealedActOf } from '../rules/sealed-acts.ts'
import { findDocument } from '../store/documents.ts'
import { insertPreparedSeal } from '../store/prepared-seals.ts'
import { listRunCopies } from '../store/run-copies.ts'
import { listSignatures } from '../store/signatures.ts'
import { isAskedFor, isOf } from './act-on-document.ts'
import { pdfEnvelope, sealToReader } from './seal-to-reader.ts'
import { storeAnswer } from './store-answer.ts'
import { digestOfAct } from './take-seal.ts'

const platform = createCryptoPlatform(globalThis)
const PDF = 'application/pdf'

/** The PDF under the one-time key, as base64. */
export interface HandedOver extends OfferedObject {
  readonly otk: Secret<string>
}

/** The PDF under the one-time key, as base64. */
export interface GivenPdf {
  readonly otk: Secret<string>
  readonly text: Uint8Array
}

/**
 * [Note: a seal is prepared] Reading, sealing and encrypting a PDF takes seconds, so it happens before the transaction of
 * the act. The plaintext is in memory only. The sealed file, encrypted to its reader, is garbage until the act that it was
 * made for is recorded; an act, an edit or an upload in between makes it useless. Null for an act of a run that completes
 * no output.
 */
export async function prepareSeal(
  context: ServiceSideContext,
  request: ActRequest,
  handedOver: HandedOver,
): Promise<Result<SealId | null, ActRefusal>> {
  const document = await findActedOn(context, request)
  if (document === null) return decline('not_found')
  const sealing = await findSealing(context, document, request.act)
  if (!sealing.ok || sealing.value === null) return sealing.ok ? accept(null) : sealing
  const text = await fetchOffered(context, handedOver, 'the PDF of a contract')
  if (text === null) return decline('seal_failed')
  return sealFor(context, sealing.value, { otk: handedOver.otk, text })
}

/** The same for an act of the company on its own copy. */
export async function prepareOwnerSeal(
  context: ServiceSideContext,
  copy: RunCopy,
  act: DocumentAct,
  given: GivenPdf | null,
): Promise<Result<SealId | null, ActRefusal>> {
  const sealing = await findSealing(context, copy, act)
  if (!sealing.ok || sealing.value === null) return sealing.ok ? accept(null) : sealing
  return given === null ? decline('seal_failed') : sealFor(context, sealing.value, given)
}

/** The seal of one act, and all who get the sealed file. */
interface Sealing {
  readonly document: StoredDocument
  readonly act: DocumentAct
  /** Of the document, or of the output that it is a copy of. */
  readonly acts: readonly SealedAct[]
  readonly position: number
  readonly readers: readonly Reader[]
}

interface Reader {
  readonly documentId: DocumentId
  readonly publicKey: string
}

type SealedAct = SealRequest['acts'][number]

async function sealFor(
  context: ServiceSideContext,
  sealing: Sealing,
  given: GivenPdf,
): Promise<Result<SealId, ActRefusal>> {
  const pdf = await decryptPdf(given)
  if (pdf === null || sha256Of(pdf) !== sealing.document.plainSha256) return decline('content_mismatch')
  if (!isPdf(PDF, pdf)) return decline('not_signable')
  const now = context.clock.now()
  const sealed = await sealPdf(context, pdf, sealing, now)
  pdf.fill(0)
  return sealed.ok ? storeSeal(context, sealing, sealed.value, now) : sealed
}

async function findActedOn({ database }: ServiceSideContext, request: ActRequest): Promise<StoredDocument | null> {
  const { serviceId, connectionId, documentId: id } = request
  return database.read(async (read) => {
    const connection = await findConnection(read, serviceId, connectionId)
    if (connection === null || !isAskedFor(connection, request)) return null
    const document = await findDocument(read, { serviceId, id })
    return isOf(document, connection) ? document : null
  })
}

/** Null when the act completes no document. */
async function findSealing(
  { database, clock }: ServiceSideContext,
  document: StoredDocument,
  act: DocumentAct,
): Promise<Result<Sealing | null, ActRefusal>> {
  const decided = decideAct(document, act, clock.now())
  if (!decided.ok) return decided
  if (!needsSeal(document)) return decline('not_signable')
  return database.read(async (read): Promise<Result<Sealing | null, ActRefusal>> => {
    const { serviceId, id, runId, outputKey } = document
    const all = runId === null ? [] : await listRunCopies(read, serviceId, [runId])
    const acting = all.find((copy) => copy.id === id)
    if (acting !== undefined && !completesOutput(all, acting)) return accept(null)
    const copies = acting === undefined ? [document] : all.filter((copy) => copy.outputKey === outputKey)
    const ids = copies.map((copy) => copy.id)
    const signatures = await listSignatures(read, serviceId, ids)
    const readers = await listReaders(read, copies)
    if (readers === null) return decline('seal_failed')
    const acts =
      acting === undefined
        ? signatures.map((signature, index) => sealedActOf(signature, index + 1))
        : actsOnOutput(all, acting.outputKey, signatures).map((one) => sealedActOf(one.signature, one.position))
    return accept({ document, act, acts, position: acting?.position ?? signatures.length + 1, readers })
  })
}

/** Null when the key of a reader is gone. */
async function listReaders(read: Read, copies: readonly StoredDocument[]): Promise<readonly Reader[] | null> {
  const readers: Reader[] = []
  for (const { id: documentId, companyId, serviceId, customer } of copies) {
    const found =
      customer === null
        ? await findService(read, companyId, serviceId)
        : await findConnection(read, serviceId, customer.connectionId)
    if (found === null) return null
    readers.push({ documentId, publicKey: found.publicKey })
  }
  return readers
}

/** Null when the key does not open it. */
async function decryptPdf({ otk, text }: GivenPdf): Promise<Uint8Array | null> {
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) return null
  const opened = await openOnce(platform, key.value, Buffer.from(text).toString('latin1'))
  return opened.ok ? opened.value : null
}

async function sealPdf(
  { sealer, log }: ServiceSideContext,
  pdf: Uint8Array,
  { document, act, acts, position }: Sealing,
  sealedAt: Instant,
): Promise<Result<Uint8Array, ActRefusal>> {
  const signature = signatureOf(document, act, sealedAt)
  if (sealer === null || signature === null) return decline('seal_failed')
  // All participants of a run get the same file, so it names the run and not the copy of one of them.
  const { id: documentId, name: documentName, runId } = document
  try {
    const sealed = await sealer.seal(pdf, {
      owner: document.companyId,
      documentId: runId ?? documentId,
      documentName,
      sealedAt,
      acts: [...acts, sealedActOf(signature, position)],
    })
    if (sealed.ok) return accept(sealed.value.bytes)
    log.info({ documentId, reason: sealed.refusal }, 'a PDF was not sealed')
    return decline(sealed.refusal === 'busy' ? 'seal_failed' : 'not_signable')
  } catch (error) {
    log.error({ err: error, documentId }, 'a contract could not be sealed')
    return decline('seal_failed')
  }
}

async function storeSeal(
  context: ServiceSideContext,
  { document, act, acts, readers }: Sealing,
  sealed: Uint8Array,
  sealedAt: Instant,
): Promise<Result<SealId, ActRefusal>> {
  const envelope = pdfEnvelope(document.name, sealed)
  const copies: SealedCopy[] = []
  for (const { documentId, publicKey } of readers) {
    const wrapper = await sealToReader(publicKey, envelope)
    if (wrapper === null) return decline('seal_failed')
    const stored = await storeAnswer(context, true, wrapper)
    copies.push({ ...stored, documentId, contentSha256: sha256Of(Buffer.from(wrapper)) })
  }
  const own = copies.find(({ documentId }) => documentId === document.id)
  if (own === undefined) throw new Error(`document ${document.id} has no sealed copy`)
  const id = context.ids.uuid<SealId>()
  const seal = {
    ...own,
    serviceId: document.serviceId,
    id,
    copies: copies.filter((copy) => copy !== own),
    plainSha256: sha256Of(sealed),
    contentRev: document.contentRev,
    acts: acts.length,
    actSha256: digestOfAct(act),
    sealedAt,
  }
  await context.database.transaction((tx) => insertPreparedSeal(tx, seal))
  return accept(id)
}
