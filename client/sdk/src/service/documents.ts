import { addressOf } from '../address.ts'
import { type DocumentFile, documentEnvelope, sha256Of, typedFile } from '../documents/document-file.ts'
import { requireSignable } from '../documents/not-signable.ts'
import type { ReceivedFile } from '../files/envelope.ts'
import { dataUriOf, type FileToShare } from '../files/new-envelope.ts'
import { collect, readFileAnswer } from '../files/open-file.ts'
import type { Keys } from '../keys/keys.ts'
import { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import {
  changeDocument,
  createDocument,
  deleteDocument,
  listDocuments,
  readDocument,
  uploadDocumentFile,
} from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type {
  ChangeDocumentBody,
  CreateDocumentBody,
  ListDocumentsQuery,
  ReadDocumentAnswer,
} from '../shapes.generated.ts'
import type { ReadStream } from '../streamed.ts'
import type { Connections } from './connections.ts'

/** A document or contract as its company reads it. What it says to one customer stays sealed to them. */
export type DocumentRecord = ReadDocumentAnswer

/** Exactly one member names the customer. */
export type DocumentRecipient =
  | { readonly connection_id: string }
  | { readonly person_user_id: string }
  | { readonly share_code: string }

type Facts = Pick<CreateDocumentBody, 'name' | 'description' | 'metadata'>

/** What it says: any JSON value, or a file. */
export type DocumentContent =
  | { readonly value: NonNullable<CreateDocumentBody['value']>; readonly file?: never }
  | { readonly file: DocumentFile; readonly value?: never }

/** A document or contract for one customer. */
export type DocumentToSend = Facts &
  DocumentContent &
  Pick<CreateDocumentBody, 'kind' | 'requires_signature' | 'requires_acceptance' | 'is_private'> & {
    readonly target: DocumentRecipient
  }

/** A document in plaintext for all present and future customers. */
export type DocumentToBroadcast = Facts & DocumentContent

export type DocumentFilter = Omit<ListDocumentsQuery, 'limit' | 'cursor' | 'offset'>

const FILE_LIMIT_BYTES = 64 * 1_048_576

/** The same upload again changes nothing. */
const upload = { ...uploadDocumentFile, repeatable: true } as const

/** Documents and contracts for customers. */
export class Documents {
  readonly #send: Send
  readonly #readStream: ReadStream
  readonly #connections: Connections
  readonly #keys: Keys

  constructor(send: Send, readStream: ReadStream, parts: { readonly connections: Connections; readonly keys: Keys }) {
    this.#send = send
    this.#readStream = readStream
    this.#connections = parts.connections
    this.#keys = parts.keys
  }

  /**
   * Sends a document or contract to one customer, sealed to their key, which is pinned. The file of a contract that is to
   * be signed or accepted must be a PDF that can be sealed: otherwise a `NotSignableError` is thrown and nothing is sent.
   *
   * With an `idempotencyKey` of yours the call may be made again after a crash: it continues where the first one ended, and
   * one document arrives. For JSON, which is sealed anew, a repeat by another process is refused with
   * `idempotency.conflict` if the first one arrived.
   */
  async send(document: DocumentToSend, options: CallOptions = {}): Promise<DocumentRecord> {
    const { file, value, target, ...members } = document
    const content = contentOf(file, value)
    if (content.payload_kind === 'json') {
      const key = await this.#keyOf(target, options)
      const sealed = await key.seal(JSON.stringify(content.value))
      return this.#send(createDocument, { body: { ...members, target, payload_kind: 'json', value: sealed } }, options)
    }
    const { bytes, mimeType } = content.file
    if (members.requires_signature === true || members.requires_acceptance === true) requireSignable(bytes)
    const key = await this.#keyOf(target, options)
    const plain = mimeType === 'application/pdf' ? { plain_sha256: await sha256Of(bytes) } : {}
    const body = { ...members, ...plain, target, payload_kind: 'file' as const }
    return this.#upload(body, options, async () => ({ value: await key.seal(documentEnvelope(content.file)) }))
  }

  /** Sends a document in plaintext to all present and future customers. It cannot be signed or accepted. */
  async broadcast(document: DocumentToBroadcast, options: CallOptions = {}): Promise<DocumentRecord> {
    const { file, value, ...members } = document
    const content = contentOf(file, value)
    if (content.payload_kind === 'json')
      return this.#send(createDocument, { body: { ...members, ...content } }, options)
    const sent = content.file
    const body = { ...members, payload_kind: 'file' as const }
    return this.#upload(body, options, () =>
      Promise.resolve({ file: dataUriOf(sent), original_name: sent.originalName }),
    )
  }

  /** All documents, oldest first, read page by page. */
  list(filter: DocumentFilter = {}, options?: CallOptions): AsyncGenerator<DocumentRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listDocuments, { query: { ...filter, ...pageQuery(cursor) } }, options))
  }

  get(documentId: string, options?: CallOptions): Promise<DocumentRecord> {
    return this.#send(readDocument, { params: { id: documentId } }, options)
  }

  /**
   * Members that are left out stay; `metadata` is merged by key, and null removes one. Only the customer can make an offer
   * active. `status: 'active_but_ending'` takes a future `cancel_effective_date`; without one, it ends after the days of
   * notice in `metadata`.
   */
  change(documentId: string, change: ChangeDocumentBody, options?: CallOptions): Promise<DocumentRecord> {
    return this.#send(changeDocument, { params: { id: documentId }, body: change }, options)
  }

  /** Ends an offer or a contract at once, or on a future date (`2027-01-31`, UTC). */
  end(documentId: string, on?: string, options?: CallOptions): Promise<DocumentRecord> {
    const change: ChangeDocumentBody =
      on === undefined ? { status: 'ended' } : { status: 'active_but_ending', cancel_effective_date: on }
    return this.change(documentId, change, options)
  }

  /** Replaces the file until a signature is recorded. A contract needs a PDF that can be sealed. */
  async replaceFile(documentId: string, file: DocumentFile, options: CallOptions = {}): Promise<DocumentRecord> {
    const document = await this.get(documentId, options)
    const sent = typedFile(file)
    const params = { id: documentId }
    const { person_user_id: customer, requires_signature: signs, requires_acceptance: accepts } = document
    if (customer === null) {
      await this.#send(upload, { params, body: { file: dataUriOf(sent), original_name: sent.originalName } }, options)
      return this.get(documentId, options)
    }
    if (signs || accepts) requireSignable(sent.bytes)
    const key = await this.#keyOf({ person_user_id: customer }, options)
    const value = await key.seal(documentEnvelope(sent))
    await this.#send(upload, { params, body: { value, plain_sha256: await sha256Of(sent.bytes) } }, options)
    return this.get(documentId, options)
  }

  /** A contract that was signed or accepted can be deleted once it has ended; the customer keeps the copy. */
  delete(documentId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteDocument, { params: { id: documentId } }, options)
  }

  /** The file of a broadcast. One for a customer is sealed to them: `documents.recipient_encrypted`. */
  readFile(documentId: string, { signal }: CallOptions = {}): Promise<Pick<ReceivedFile, 'bytes' | 'mimeType'>> {
    const address = (apiUrl: string): string =>
      addressOf(apiUrl, '/api/company-data/documents/{id}/file', { id: documentId }, {})
    return this.#readStream(address, signal, async (answer) => {
      const file = await readFileAnswer(answer)
      if (file.kind !== 'raw') throw new TypeError('the file of a broadcast was answered in another form')
      return { bytes: await collect(file.stream, FILE_LIMIT_BYTES), mimeType: file.contentType }
    })
  }

  /** Creates the document, then uploads its file: the customer sees it when the upload is complete. */
  async #upload(
    body: CreateDocumentBody,
    options: CallOptions,
    fileOf: () => Promise<{ readonly value: string } | { readonly file: string; readonly original_name: string }>,
  ): Promise<DocumentRecord> {
    const { id } = await this.#send(createDocument, { body }, options)
    // Sealed anew, the file would be another one: a repeat must not replace what the customer may be reading.
    if (options.idempotencyKey !== undefined) {
      const present = await this.get(id, options)
      if (!isPending(present)) return present
    }
    await this.#send(upload, { params: { id }, body: await fileOf() }, options)
    return this.get(id, options)
  }

  async #keyOf(target: DocumentRecipient, options: CallOptions): Promise<PublicKey> {
    if ('share_code' in target) return PublicKey.import((await this.#keys.read(target.share_code, options)).public_key)
    const userId =
      'connection_id' in target
        ? (await this.#connections.get(target.connection_id, options)).user_id
        : target.person_user_id
    const found = (await this.#keys.readMany([userId], options)).get(userId)
    if (found === undefined) throw new TypeError(`user ${userId} is not a customer of this service`)
    return PublicKey.import(found)
  }
}

type Content =
  | { readonly payload_kind: 'json'; readonly value: NonNullable<CreateDocumentBody['value']> }
  | { readonly payload_kind: 'file'; readonly file: FileToShare }

function contentOf(file: DocumentFile | undefined, value: CreateDocumentBody['value'] | undefined): Content {
  if ((file === undefined) === (value === undefined || value === null))
    throw new TypeError('a document has either a `value` or a `file`')
  if (file !== undefined) return { payload_kind: 'file', file: typedFile(file) }
  return { payload_kind: 'json', value: value ?? {} }
}

function isPending({ value }: DocumentRecord): boolean {
  return typeof value === 'object' && value !== null && '_pending' in value
}
