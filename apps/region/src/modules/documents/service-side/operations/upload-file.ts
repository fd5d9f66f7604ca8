import { sealedTextMax } from '@sealpost/field-types'
import { type Answer, answer } from '@sealpost/http'
import { sha256Of } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { StoredConnection } from '../../../connections/index.ts'
import { discardObjects, keepObject } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { CustomerDocument, DocumentName, RawFile, StoredDocument, StoredObject } from '../model.ts'
import { type BroadcastFile, readBroadcastFile } from '../rules/broadcast-file.ts'
import { documentEvent } from '../rules/events.ts'
import { validateSealedFile } from '../rules/new-document.ts'
import { listSignatures } from '../store/signatures.ts'
import { warningsAbout } from '../wire.ts'
import { refusalOf } from './create-document.ts'
import { lockForChange } from './lock-document.ts'
import { recordChange } from './record-change.ts'
import { storeAnswer, storeRaw } from './store-answer.ts'

export interface Upload {
  readonly value?: unknown
  readonly file?: unknown
  readonly original_name?: string
  readonly plain_sha256?: string
}

const MEGABYTE = 1_048_576

/** The first upload makes the document visible; a later one replaces the file. */
export async function uploadFile(
  context: ServiceSideContext,
  document: StoredDocument,
  upload: Upload,
): Promise<Answer<{ readonly id: string }>> {
  if (document.payloadKind !== 'file') throw refuse('documents.invalid_payload')
  if (document.runId !== null) throw refuse('documents.run_managed')
  await refuseSigned(context, document)
  if (document.customer === null) {
    await uploadBroadcast(context, document, upload)
    return answer({ id: document.id }, {})
  }
  const after = await uploadSealed(context, document, upload)
  return answer({ id: document.id }, { warnings: warningsAbout(after) })
}

/** Before the file is read: the refusal does not depend on it. */
async function refuseSigned({ database }: ServiceSideContext, { serviceId, id }: StoredDocument): Promise<void> {
  const signatures = await database.read((read) => listSignatures(read, serviceId, [id]))
  if (signatures.length > 0) throw refuse('documents.contract_immutable')
}

async function uploadSealed(context: ServiceSideContext, name: DocumentName, upload: Upload): Promise<StoredDocument> {
  const sealed = validateSealedFile(upload.value, sealedTextMax(context.settings.DOCUMENT_MAX_MB))
  if (!sealed.ok) throw refusalOf(sealed.refusal)
  const contentSha256 = sha256Of(Buffer.from(sealed.value))
  const content = await storeAnswer(context, true, sealed.value)
  return context.database.transaction(async (tx) => {
    const { document, connection } = await lockUploaded(context, tx, name)
    const plainSha256 = upload.plain_sha256 ?? document.plainSha256
    if (document.contentSha256 === contentSha256 && document.plainSha256 === plainSha256) return document
    await keepObject(tx, content.objectKey)
    const after: CustomerDocument = {
      ...document,
      contentSha256,
      plainSha256,
      isPending: false,
      rev: document.rev + 1,
      contentRev: document.contentRev + 1,
      updatedAt: context.clock.now(),
    }
    const event = documentEvent(document.isPending ? 'document_created' : 'document_updated', after)
    await recordChange(context, tx, { before: document, after, connection, signatures: [], file: content, event })
    return after
  })
}

interface Uploaded {
  readonly document: CustomerDocument
  readonly connection: StoredConnection
}

async function lockUploaded(context: ServiceSideContext, tx: Tx, name: DocumentName): Promise<Uploaded> {
  const locked = await lockForChange(context, tx, name)
  const customer = locked?.document.customer ?? null
  if (locked === null || customer === null) throw refuse('documents.not_found')
  if (locked.connection === null) throw refuse('company_data.connection_not_found')
  if (locked.signatures.length > 0) throw refuse('documents.contract_immutable')
  return { document: { ...locked.document, customer }, connection: locked.connection }
}

async function uploadBroadcast(context: ServiceSideContext, document: StoredDocument, upload: Upload): Promise<void> {
  const maxBytes = context.settings.DOCUMENT_MAX_MB * MEGABYTE
  const file = readBroadcastFile(upload.file, upload.original_name, maxBytes)
  if (!file.ok) throw refuse(file.refusal)
  const stored = await storeRaw(context, file.value.content, file.value.mimeType)
  const content = await storeAnswer(context, false, envelopeOf(file.value))
  const { originalName, mimeType } = file.value
  const rawFile: RawFile = { ...stored, originalName, mimeType }
  await context.database.transaction((tx) => replaceBroadcast(context, tx, document, rawFile, content))
}

function envelopeOf({ content, originalName, mimeType }: BroadcastFile): string {
  const file = `data:${mimeType};base64,${content.toString('base64')}`
  return JSON.stringify({ file, original_name: originalName, mime_type: mimeType, size: content.length })
}

async function replaceBroadcast(
  context: ServiceSideContext,
  tx: Tx,
  name: DocumentName,
  rawFile: RawFile,
  answerFile: StoredObject,
): Promise<void> {
  const before = (await lockForChange(context, tx, name))?.document
  if (before === undefined) throw refuse('documents.not_found')
  const isSame = before.rawFile?.sha256 === rawFile.sha256 && before.rawFile.originalName === rawFile.originalName
  if (isSame) return
  await keepObject(tx, rawFile.objectKey)
  await keepObject(tx, answerFile.objectKey)
  await discardFiles(context, tx, before)
  const now = context.clock.now()
  const after: StoredDocument = {
    ...before,
    rawFile,
    answerFile,
    isPending: false,
    rev: before.rev + 1,
    contentRev: before.contentRev + 1,
    updatedAt: now,
  }
  await recordChange(context, tx, { before, after, connection: null, signatures: [], event: null })
}

/** The objects of a document that is deleted or replaced. */
export async function discardFiles(
  { clock }: Pick<ServiceSideContext, 'clock'>,
  tx: Tx,
  { rawFile, answerFile }: Pick<StoredDocument, 'rawFile' | 'answerFile'>,
): Promise<void> {
  const keys = [rawFile, answerFile].flatMap((file) => (file === null ? [] : [file.objectKey]))
  await discardObjects(tx, keys, clock.now())
}
