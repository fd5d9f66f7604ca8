import { addressOf } from '../address.ts'
import { provenMembers, signedFile, type SigningProof } from '../documents/signing.ts'
import { readFileAnswer } from '../files/open-file.ts'
import { type OpenedRunDocument, openRunDocument } from '../flows/run-document.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import type { CallOptions } from '../options.ts'
import { acceptOwnerDocument, declineOwnerDocument, sendOwnerSignCode, signOwnerDocument } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { SignOwnerDocumentAnswer } from '../shapes.generated.ts'
import type { ReadStream } from '../streamed.ts'

/** Names the company's own copy of a document of a run. */
export interface RunCopyName {
  readonly serviceId: string
  readonly runId: string
  readonly outputKey: string
}

/** A copy with the PDF in it: the one to show to the user, and the one that an act is about. */
export type OpenedCompanyCopy = OpenedRunDocument & RunCopyName

/** A copy after an act. */
type CompanyCopy = SignOwnerDocumentAnswer

/** The company's own copies of the documents of runs, which users of its portal sign or accept; portal logins only. */
export class RunDocuments {
  readonly #send: Send
  readonly #readStream: ReadStream

  constructor(send: Send, readStream: ReadStream) {
    this.#send = send
    this.#readStream = readStream
  }

  /** Reads and opens the copy. The digests are computed here, from what was received. */
  async open(name: RunCopyName, key: ServiceKey, { signal }: CallOptions = {}): Promise<OpenedCompanyCopy> {
    const { serviceId, runId, outputKey } = name
    const path = '/api/portal/services/{id}/flow-runs/{runId}/documents/{outputKey}/file'
    const address = (apiUrl: string): string => addressOf(apiUrl, path, paramsOf(name), {})
    const answer = await this.#readStream(address, signal, readFileAnswer)
    return { ...(await openRunDocument(answer, (wrapper) => key.open(wrapper))), serviceId, runId, outputKey }
  }

  /** Mails six digits for `method: 'email'` to the address of the account; they are valid for this document only. */
  requestSignCode(name: RunCopyName, options?: CallOptions): Promise<void> {
    return this.#send(sendOwnerSignCode, { params: paramsOf(name), body: {} }, options)
  }

  /** Signs exactly the PDF that was opened. `custodian` is the proof of a user of the portal. */
  async sign(
    opened: OpenedCompanyCopy,
    proof: SigningProof = { method: 'custodian' },
    options?: CallOptions,
  ): Promise<CompanyCopy> {
    const { contentSha256, file } = opened
    const proven = await provenMembers(proof, contentSha256)
    const body = { ...proven, ...(await signedFile(contentSha256, file.bytes)) }
    return this.#send(signOwnerDocument, { params: paramsOf(opened), body }, options)
  }

  /** Accepts exactly the PDF that was opened. */
  async accept(opened: OpenedCompanyCopy, options?: CallOptions): Promise<CompanyCopy> {
    const body = await signedFile(opened.contentSha256, opened.file.bytes)
    return this.#send(acceptOwnerDocument, { params: paramsOf(opened), body }, options)
  }

  /** Declines the document, which cancels the run. */
  decline(name: RunCopyName, reason?: string, options?: CallOptions): Promise<CompanyCopy> {
    const body = reason === undefined ? {} : { reason }
    return this.#send(declineOwnerDocument, { params: paramsOf(name), body }, options)
  }
}

function paramsOf({ serviceId, runId, outputKey }: RunCopyName) {
  return { id: serviceId, runId, outputKey }
}
