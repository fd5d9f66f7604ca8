import { type DataUri, isPdf, type Lane, parseDataUri } from '@sealpost/field-types'

/** What is wrong with a file of an envelope, and where. */
export interface FileFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

interface FoundFile {
  readonly path: readonly (string | number)[]
  readonly text: unknown
  /** What the envelope says beside it, if anything. */
  readonly mimeType: unknown
}

/** How the bytes of a type begin. A file served under a name that its bytes do not bear is an attack on its reader. */
const SIGNATURES: ReadonlyMap<string, (start: Uint8Array) => boolean> = new Map([
  ['image/jpeg', (start) => begins(start, [0xff, 0xd8, 0xff])],
  ['image/png', (start) => begins(start, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/gif', (start) => begins(start, [0x47, 0x49, 0x46, 0x38])],
  [
    'image/webp',
    (start) => begins(start, [0x52, 0x49, 0x46, 0x46]) && begins(start.subarray(8), [0x57, 0x45, 0x42, 0x50]),
  ],
  ['application/pdf', (start) => isPdf('application/pdf', start)],
])
const LONGEST_START_BYTES = 12

/** What `validateWrite` does not look at: whether the files of an envelope in the clear are what they claim to be. */
export function faultsOfFiles(envelope: string, lane: Lane): readonly FileFault[] {
  return filesOf(parseObject(envelope)).flatMap(({ path, text, mimeType }) => {
    const file = typeof text === 'string' && text !== '' ? parseDataUri(text) : null
    const message = file === null ? null : judge(file, mimeType, lane)
    return message === null ? [] : [{ path, message }]
  })
}

function judge(file: DataUri, stated: unknown, lane: Lane): string | null {
  const { mimeType, byteLength } = file
  // Nothing can be served of it, and nothing travels that holds nothing.
  if (byteLength === 0) return 'is empty'
  if (typeof stated === 'string' && stated !== '' && stated !== mimeType) return 'is not what mime_type says'
  const isImage = mimeType.startsWith('image/')
  if (lane === 'photo' && !isImage) return 'is not a picture'
  const matches = SIGNATURES.get(mimeType)
  if (matches === undefined) return isImage ? 'must be JPEG, PNG, GIF or WebP' : null
  return matches(startOf(file)) ? null : `does not begin as ${mimeType} does`
}

function filesOf(envelope: Readonly<Record<string, unknown>>): readonly FoundFile[] {
  const { file, full, thumb, mime_type: mimeType, pages } = envelope
  const ofPages = (Array.isArray(pages) ? pages : []).map((page: unknown, index): FoundFile => {
    const members = membersOf(page)
    return { path: ['pages', index, 'file'], text: members['file'], mimeType: members['mime_type'] }
  })
  return [
    { path: ['file'], text: file, mimeType },
    { path: ['full'], text: full, mimeType: null },
    { path: ['thumb'], text: thumb, mimeType: null },
    ...ofPages,
  ]
}

function startOf({ base64 }: DataUri): Uint8Array {
  return Buffer.from(base64.slice(0, LONGEST_START_BYTES * 2), 'base64').subarray(0, LONGEST_START_BYTES)
}

function begins(start: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => start[index] === byte)
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return {}
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
