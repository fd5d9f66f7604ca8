import { addressOf } from '../address.ts'
import { sha256Of } from '../documents/document-file.ts'
import { provenMembers, signedFile, type SigningProof } from '../documents/signing.ts'
import { type Envelope, EnvelopeError, readEnvelope, type ReceivedFile } from '../files/envelope.ts'
import { readFileAnswer } from '../files/open-file.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import {
  acceptDocument,
  cancelDocument,
  declineDocument,
  listAllCustomerDocuments,
  listCustomerDocuments,
  readCustomerDocument,
  sendSignCode,
  signDocument,
} from '../routes.generated.ts'
import type { ReadCustomerDocumentAnswer } from '../shapes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import type { CustomerSession } from './session.ts'

/** A document or contract as its customer reads it. */
export type OwnDocument = ReadCustomerDocumentAnswer

/** A document with what it says: the one to show to the user, and the one that an act is about. */
export type OpenedDocument = OpenedJson | OpenedFile

export interface OpenedJson {
  readonly kind: 'json'
  readonly document: OwnDocument
  /** `{title?, sections, fields}` is shown as text; any other object as a table. */
  readonly value: unknown
}

export interface OpenedFile {
  readonly kind: 'file'
  readonly document: OwnDocument
  readonly file: ReceivedFile
}

/** How often a document is read again when it was replaced between its record and its file. */
const READS = 3

/** Documents and contracts that services have sent to the customer. */
export class OwnDocuments {
  readonly #session: CustomerSession

  constructor(session: CustomerSession) {
    this.#session = session
  }

  /** All own copies of all services, oldest first; or those of one connection, with the broadcasts of its service. */
  list(connectionId?: string, options?: CallOptions): AsyncGenerator<OwnDocument, void, undefined> {
    const { send } = this.#session
    return everyItem((cursor) => {
      const query = pageQuery(cursor)
      if (connectionId === undefined) return send(listAllCustomerDocuments, { query }, options)
      return send(listCustomerDocuments, { params: { id: connectionId }, query }, options)
    })
  }

  get(connectionId: string, documentId: string, options?: CallOptions): Promise<OwnDocument> {
    return this.#session.send(readCustomerDocument, { params: { id: connectionId, docId: documentId } }, options)
  }

  /**
   * Reads a document and opens what it says. Its digests are computed here, from what was received: throws an
   * `UntrustedAnswerError` if the server announces others.
   */
  async open(connectionId: string, documentId: string, options: CallOptions = {}): Promise<OpenedDocument> {
    for (let left = READS - 1; ; left -= 1) {
      try {
        return await this.#open(connectionId, documentId, options)
      } catch (error) {
        const isReplaced = error instanceof UntrustedAnswerError && error.reason === 'document_changed'
        if (!isReplaced || left === 0) throw error
      }
    }
  }

  async #open(connectionId: string, documentId: string, options: CallOptions): Promise<OpenedDocument> {
    const document = await this.get(connectionId, documentId, options)
    if (document.payload_kind === 'json') return { kind: 'json', document, value: await this.#openJson(document) }
    const { files } = await this.#openFile(document, options)
    const [file] = files
    if (file === undefined) throw new EnvelopeError('The envelope of this document has no file')
    const { plain_sha256: announced } = document
    if (announced !== null && announced !== (await sha256Of(file.bytes))) throw changed(document)
    return { kind: 'file', document, file }
  }

  async #openJson(document: OwnDocument): Promise<unknown> {
    const { value, content_sha256: announced } = document
    if (announced === null) return value
    if (typeof value !== 'string' || (await sha256Of(value)) !== announced) throw changed(document)
    return parseJson(await (await this.#session.key()).open(value))
  }

  async #openFile(document: OwnDocument, { signal }: CallOptions): Promise<Envelope> {
    const { id: docId, connection_id: id, content_sha256: announced } = document
    const path = '/api/company-connections/{id}/documents/{docId}/file'
    const answer = await this.#session.readStream(
      (apiUrl) => addressOf(apiUrl, path, { id, docId }, {}),
      signal,
      readFileAnswer,
    )
    // A broadcast is plaintext for all customers, a document for one customer never is.
    if (announced === null && answer.kind === 'clear') return answer.envelope
    if (announced === null || answer.kind !== 'sealed' || (await sha256Of(answer.sealed)) !== announced)
      throw changed(document)
    return readEnvelope(await (await this.#session.key()).open(answer.sealed))
  }

  /** Mails six digits for `method: 'email'`; they are valid for this document only. */
  requestSignCode({ connection_id: id, id: docId }: OwnDocument, options?: CallOptions): Promise<void> {
    return this.#session.send(sendSignCode, { params: { id, docId }, body: {} }, options)
  }

  /**
   * Signs exactly the content that was opened: `documents.content_mismatch` if the company has replaced it since. A PDF is
   * handed to the platform under a new key, sealed in memory, and comes back as a sealed PDF: open the document again once
   * its `sealed_at` is set.
   */
  async sign(opened: OpenedDocument, proof: SigningProof, options?: CallOptions): Promise<OwnDocument> {
    const signed = await signedMembers(opened)
    const proven = await provenMembers(proof, signed.content_sha256)
    return this.#session.send(signDocument, { params: paramsOf(opened), body: { ...proven, ...signed } }, options)
  }

  /** Accepts exactly the content that was opened; otherwise like `sign`, without a proof. */
  async accept(opened: OpenedDocument, options?: CallOptions): Promise<OwnDocument> {
    const body = await signedMembers(opened)
    return this.#session.send(acceptDocument, { params: paramsOf(opened), body }, options)
  }

  /** Declines an offer; it ends. */
  decline({ connection_id: id, id: docId }: OwnDocument, reason?: string, options?: CallOptions): Promise<OwnDocument> {
    const body = reason === undefined ? {} : { reason }
    return this.#session.send(declineDocument, { params: { id, docId }, body }, options)
  }

  /**
   * Cancels a contract. It ends on `cancel_effective_date` of the answer, which follows from `cancel_notice_days` of its
   * metadata, or at once. `documents.not_cancellable` unless its metadata has `can_be_cancelled_in_app`.
   */
  cancel({ connection_id: id, id: docId }: OwnDocument, note?: string, options?: CallOptions): Promise<OwnDocument> {
    const body = note === undefined ? {} : { note }
    return this.#session.send(cancelDocument, { params: { id, docId }, body }, options)
  }
}

function paramsOf({ document }: OpenedDocument): { readonly id: string; readonly docId: string } {
  return { id: document.connection_id, docId: document.id }
}

async function signedMembers(opened: OpenedDocument) {
  const { content_sha256 } = opened.document
  if (content_sha256 === null) throw new TypeError('a broadcast cannot be signed or accepted')
  if (opened.kind === 'json') return { content_sha256 }
  return signedFile(content_sha256, opened.file.bytes)
}

function changed({ id }: OwnDocument): UntrustedAnswerError {
  return new UntrustedAnswerError('document_changed', `document ${id}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without the text, which is confidential.
    throw new EnvelopeError('This document is not JSON: its company sealed something else')
  }
}
