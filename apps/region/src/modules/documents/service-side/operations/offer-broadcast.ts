import type { ServiceSideContext } from '../context.ts'
import type { DocumentName } from '../model.ts'
import { findDocument } from '../store/documents.ts'

const LINK_SECONDS = 300

/** A link from which a customer's region may copy the answer of the file route; null when customers see no such file. */
export async function offerBroadcast({ database, objects }: ServiceSideContext, name: DocumentName) {
  const document = await database.read((read) => findDocument(read, name))
  if (document?.recipient !== 'broadcast' || document.status === 'ended' || document.answerFile === null) return null
  const { objectKey, sha256, bytes } = document.answerFile
  return { url: (await objects.presignGet(objectKey, LINK_SECONDS)).reveal(), sha256, bytes }
}
