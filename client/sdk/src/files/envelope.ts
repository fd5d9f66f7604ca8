import { hostPlatform } from '../keys/host.ts'

/** One file of an envelope. */
export interface ReceivedFile {
  /** `page`: of a document with several; `full`, `thumb`: of a photo; else `file`. */
  readonly part: 'file' | 'full' | 'thumb' | 'page'
  readonly bytes: Uint8Array
  readonly mimeType: string
  /** The name that the person's device gave; null when it gave none. Not safe as a path on your disk. */
  readonly originalName: string | null
  /** `front`, `back` or `additional` of a page. */
  readonly label: string | null
}

/** The files that a person's device sealed for one field, with their metadata. */
export interface Envelope {
  /** Exactly the sealed text; an attestation covers this text. */
  readonly text: string
  readonly files: readonly ReceivedFile[]
  /** The holder of an identity document, or the title of a document. */
  readonly name: string | null
  /** Further entries of the type, such as `document_number` and `expiry_date`. */
  readonly entries: Readonly<Record<string, string>>
}

/** The text is not an envelope: the person's device sealed something else. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError'
}

type Members = Readonly<Record<string, unknown>>

const FILE_FACTS = new Set(['file', 'full', 'thumb', 'pages', 'original_name', 'mime_type', 'size', 'name'])

/** The platform could not validate the content, so every member is checked. */
export function readEnvelope(text: string): Envelope {
  const members = objectOf(text)
  const entries = Object.entries(members).filter((entry): entry is [string, string] => {
    const [key, value] = entry
    return !FILE_FACTS.has(key) && typeof value === 'string'
  })
  return {
    text,
    files: [
      ...fileOf('file', members['file'], members),
      ...fileOf('full', members['full'], {}),
      ...fileOf('thumb', members['thumb'], {}),
      ...pagesOf(members['pages']),
    ],
    name: textOf(members['name']),
    entries: Object.fromEntries(entries),
  }
}

function pagesOf(pages: unknown): readonly ReceivedFile[] {
  if (pages === undefined) return []
  if (!Array.isArray(pages)) throw new EnvelopeError('The pages of this envelope are not a list')
  return pages.flatMap((page: unknown) => {
    const members = isMembers(page) ? page : {}
    return fileOf('page', members['file'], members)
  })
}

function fileOf(part: ReceivedFile['part'], uri: unknown, about: Members): readonly ReceivedFile[] {
  if (uri === undefined || uri === '') return []
  const [, mimeType, base64 = ''] = typeof uri === 'string' ? (DATA_URI.exec(uri) ?? []) : []
  const bytes = mimeType === undefined ? null : hostPlatform().base64.decode(base64)
  if (mimeType === undefined || bytes === null) throw new EnvelopeError('A file of this envelope is not a data URI')
  return [{ part, bytes, mimeType, originalName: textOf(about['original_name']), label: textOf(about['label']) }]
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/s

function objectOf(text: string): Members {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isMembers(parsed)) return parsed
  } catch {
    // Reported below, without the text, which is confidential.
  }
  throw new EnvelopeError('This text is not the JSON object of a file envelope')
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
