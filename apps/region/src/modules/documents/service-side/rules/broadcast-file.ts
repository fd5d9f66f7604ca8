import { parseDataUri } from '@sealpost/field-types'
import { accept, decline, type Result } from '@sealpost/kernel'

const PDF = 'application/pdf'
const OLE_START = 'd0cf11e0a1b11ae1'
const ZIP_START = '504b0304'

interface FileType {
  readonly mimeType: string
  /** The first bytes, in hex: serving other bytes under this type lets a file attack its reader. */
  readonly start: string
}

const TYPES: Readonly<Record<string, FileType>> = {
  pdf: { mimeType: PDF, start: '255044462d' },
  doc: { mimeType: 'application/msword', start: OLE_START },
  docx: { mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', start: ZIP_START },
  xls: { mimeType: 'application/vnd.ms-excel', start: OLE_START },
  xlsx: { mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', start: ZIP_START },
  png: { mimeType: 'image/png', start: '89504e470d0a1a0a' },
  jpg: { mimeType: 'image/jpeg', start: 'ffd8ff' },
  jpeg: { mimeType: 'image/jpeg', start: 'ffd8ff' },
}

export interface BroadcastFile {
  readonly content: Buffer
  readonly originalName: string
  readonly mimeType: string
}

/** The file of a data URI; its name, its stated type and its bytes must agree. */
export function readBroadcastFile(
  file: unknown,
  originalName: string | undefined,
  maxBytes: number,
): Result<BroadcastFile, 'documents.invalid_payload' | 'documents.bad_mime' | 'documents.too_large'> {
  const parts = typeof file === 'string' ? parseDataUri(file) : null
  if (parts === null || originalName === undefined || parts.base64 === '') return decline('documents.invalid_payload')
  const extension = /\.([a-z]+)$/i.exec(originalName)?.[1]?.toLowerCase() ?? ''
  const type = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined
  if (type === undefined || type.mimeType !== parts.mimeType) return decline('documents.bad_mime')
  if (parts.byteLength > maxBytes) return decline('documents.too_large')
  const content = Buffer.from(parts.base64, 'base64')
  if (!content.subarray(0, 16).toString('hex').startsWith(type.start)) return decline('documents.bad_mime')
  return accept({ content, originalName, mimeType: type.mimeType })
}
