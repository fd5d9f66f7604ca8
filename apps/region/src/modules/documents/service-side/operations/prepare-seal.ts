import { createCryptoPlatform, importOneTimeKey, importSealingKey, openOnce, sealWrapper } from '@sealpost/crypto'
import { describeFailure, type EgressResponse } from '@sealpost/egress'
import { isPdf } from '@sealpost/field-types'
import { accept, decline, type Instant, type Result, type Secret } from '@sealpost/kernel'
import { sha256Of } from '@sealpost/objects'
import type { ActRefusal } from '@sealpost/protocol'
import { findConnection, type StoredConnection } from '../../../connections/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ActRequest, CustomerDocument, SealId, Signature } from '../model.ts'
import { decideAct, needsSeal, signatureOf } from '../rules/acts.ts'
import { sealedActOf } from '../rules/sealed-acts.ts'
import { findDocument } from '../store/documents.ts'
import { insertPreparedSeal } from '../store/prepared-seals.ts'
import { listSignatures } from '../store/signatures.ts'
import { digestOfAct, isAskedFor, isOf } from './act-on-document.ts'
import { storeAnswer } from './store-answer.ts'

const platform = createCryptoPlatform(globalThis)
const PDF = 'application/pdf'
const CONNECT_MS = 5000
const TOTAL_MS = 20_000

export interface HandedOver {
  readonly otk: Secret<string>
  /** The PDF under the one-time key, as base64. */
  readonly url: Secret<string>
  readonly sha256: string
  readonly bytes: number
}

/**
 * [Note: a seal is prepared] Reading, sealing and encrypting a PDF takes seconds, so it happens before the transaction of
 * the act. The plaintext is in memory only. The sealed file, encrypted to its reader, is garbage until the act that it was
 * made for is recorded; an act, an edit or an upload in between makes it useless.
 */
export async function prepareSeal(
  context: ServiceSideContext,
  request: ActRequest,
  handedOver: HandedOver,
): Promise<Result<SealId, ActRefusal>> {
  const found = await findActedOn(context, request)
  if (found === null) return decline('not_found')
  const now = context.clock.now()
  const decided = decideAct(found.document, request.act, now)
  if (!decided.ok) return decided
  if (!needsSeal(found.document)) return decline('not_signable')
  const text = await fetchPdf(context, handedOver)
  if (text === null) return decline('seal_failed')
  const pdf = await decryptPdf(text, handedOver)
  if (pdf === null || sha256Of(pdf) !== found.document.plainSha256) return decline('content_mismatch')
  if (!isPdf(PDF, pdf)) return decline('not_signable')
  const sealed = await sealPdf(context, pdf, request, found, now)
  pdf.fill(0)
  return sealed.ok ? storeSeal(context, request, found, sealed.value, now) : sealed
}

interface ActedOn {
  readonly connection: StoredConnection
  readonly document: CustomerDocument
  readonly signatures: readonly Signature[]
}

async function findActedOn({ database }: ServiceSideContext, request: ActRequest): Promise<ActedOn | null> {
  const { serviceId, connectionId, documentId: id } = request
  return database.read(async (read) => {
    const connection = await findConnection(read, serviceId, connectionId)
    if (connection === null || !isAskedFor(connection, request)) return null
    const document = await findDocument(read, { serviceId, id })
    if (!isOf(document, connection)) return null
    return { connection, document, signatures: await listSignatures(read, serviceId, [id]) }
  })
}

/** Null when the store of the other region does not answer, or with other bytes than it was given. */
async function fetchPdf({ egress, log }: ServiceSideContext, handedOver: HandedOver): Promise<Uint8Array | null> {
  const answered = await egress.send({
    method: 'GET',
    url: handedOver.url.reveal(),
    connectTimeoutMs: CONNECT_MS,
    totalTimeoutMs: TOTAL_MS,
    maxResponseBytes: handedOver.bytes,
  })
  const reason = !answered.ok ? describeFailure(answered.refusal) : reasonAgainst(answered.value, handedOver)
  if (reason !== null) log.error({ reason }, 'the PDF of a contract could not be fetched from the other region')
  return answered.ok && reason === null ? answered.value.body : null
}

function reasonAgainst({ status, body }: EgressResponse, { sha256 }: HandedOver): string | null {
  if (status !== 200) return `its store answered with status ${status}`
  return sha256Of(body) === sha256 ? null : 'its store answered with other bytes'
}

/** Null when the key does not open it. */
async function decryptPdf(text: Uint8Array, { otk }: HandedOver): Promise<Uint8Array | null> {
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) return null
  const opened = await openOnce(platform, key.value, Buffer.from(text).toString('latin1'))
  return opened.ok ? opened.value : null
}

async function sealPdf(
  { sealer, log }: ServiceSideContext,
  pdf: Uint8Array,
  { act }: ActRequest,
  { document, signatures }: ActedOn,
  sealedAt: Instant,
): Promise<Result<Uint8Array, ActRefusal>> {
  const signature = signatureOf(document, act, sealedAt)
  if (sealer === null || signature === null) return decline('seal_failed')
  const { id: documentId, name: documentName } = document
  const acts = [...signatures, signature].map(sealedActOf)
  try {
    const sealed = await sealer.seal(pdf, { documentId, documentName, sealedAt, acts })
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
  { serviceId, act }: ActRequest,
  { connection, document, signatures }: ActedOn,
  sealed: Uint8Array,
  sealedAt: Instant,
): Promise<Result<SealId, ActRefusal>> {
  const wrapper = await encryptTo(connection.publicKey, envelopeOf(document.name, sealed))
  if (wrapper === null) return decline('seal_failed')
  const stored = await storeAnswer(context, true, wrapper)
  const id = context.ids.uuid<SealId>()
  const seal = {
    ...stored,
    serviceId,
    id,
    documentId: document.id,
    contentSha256: sha256Of(Buffer.from(wrapper)),
    plainSha256: sha256Of(sealed),
    contentRev: document.contentRev,
    acts: signatures.length,
    actSha256: digestOfAct(act),
    sealedAt,
  }
  await context.database.transaction((tx) => insertPreparedSeal(tx, seal))
  return accept(id)
}

async function encryptTo(publicKey: string, text: string): Promise<string | null> {
  const key = await importSealingKey(platform, publicKey)
  const sealed = key.ok ? await sealWrapper(platform, key.value, text) : key
  return sealed.ok ? sealed.value : null
}

function envelopeOf(name: string, sealed: Uint8Array): string {
  const file = `data:${PDF};base64,${Buffer.from(sealed).toString('base64')}`
  return JSON.stringify({ file, original_name: `${name}.pdf`, mime_type: PDF, size: sealed.length })
}
