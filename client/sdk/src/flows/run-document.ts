import { sha256Of } from '../documents/document-file.ts'
import { EnvelopeError, readEnvelope, type ReceivedFile } from '../files/envelope.ts'
import type { OpenFile } from '../files/open-file.ts'
import { sealedTextOf } from './open-run-file.ts'

/** The company's own copy of a document of a run; once all have acted, the sealed PDF. */
export interface OpenedRunDocument {
  readonly file: ReceivedFile
  /** Of the sealed text of this copy: what the company signs. */
  readonly contentSha256: string
  /** Of the PDF. */
  readonly plainSha256: string
}

export async function openRunDocument(
  answer: OpenFile,
  open: (wrapper: string) => Promise<string>,
): Promise<OpenedRunDocument> {
  const sealed = await sealedTextOf(answer)
  const { files } = readEnvelope(await open(sealed))
  const [file] = files
  if (file === undefined) throw new EnvelopeError('The envelope of this document has no file')
  return { file, contentSha256: await sha256Of(sealed), plainSha256: await sha256Of(file.bytes) }
}
