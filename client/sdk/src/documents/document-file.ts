import { dataUriOf, type FileToShare } from '../files/new-envelope.ts'
import { hostPlatform } from '../keys/host.ts'

/** The file of a document. The name decides about its type: pdf, doc, docx, xls, xlsx, png, jpg or jpeg. */
export interface DocumentFile {
  readonly bytes: Uint8Array
  readonly originalName: string
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

/** With its type; throws for a name that the platform does not take. The platform cannot check a sealed file. */
export function typedFile({ bytes, originalName }: DocumentFile): FileToShare {
  const extension = /\.([a-z]+)$/i.exec(originalName)?.[1]?.toLowerCase() ?? ''
  const mimeType = Object.hasOwn(MIME_TYPES, extension) ? MIME_TYPES[extension] : undefined
  if (mimeType !== undefined) return { bytes, mimeType, originalName }
  throw new TypeError(`originalName must end with one of .${Object.keys(MIME_TYPES).join(', .')}`)
}

/** The text that is sealed to the customer. */
export function documentEnvelope(file: FileToShare): string {
  const { originalName, mimeType, bytes } = file
  return JSON.stringify({
    file: dataUriOf(file),
    original_name: originalName,
    mime_type: mimeType,
    size: bytes.length,
  })
}

export async function sha256Of(content: Uint8Array | string): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content)
  const digest = await hostPlatform().crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
