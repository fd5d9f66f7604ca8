import { type DataUri, isPdf, type Lane, splitDataUri } from '@sealpost/field-types'

/** A fault of a file inside an envelope, and its place. */
export interface FileFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

interface FoundFile {
  readonly path: readonly (string | number)[]
  readonly text: unknown
  /** The type that the envelope states beside the file, if any. */
  readonly mimeType: unknown
}

/** The first bytes of each type. Serving bytes under another type than their own lets a file attack its reader. */
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

/** Complements `validateWrite`: checks that the files of an envelope in the clear have the type that they state. */
export function faultsOfFiles(envelope: string, lane: Lane): readonly FileFault[] {
  return filesOf(parseObject(envelope)).flatMap(({ path, text, mimeType }) => {
    const file = typeof text === 'string' && text !== '' ? splitDataUri(text) : null
    const message = file === null ? null : validateFile(file, mimeType, lane)
    return message === null ? [] : [{ path, message }]
  })
}

type File = Pick<DataUri, 'mimeType' | 'base64'>

function validateFile(file: File, stated: unknown, lane: Lane): string | null {
  const { mimeType, base64 } = file
  // Nothing could be served, and an empty object cannot travel between regions.
  if (base64 === '') return 'is empty'
  if (typeof stated === 'string' && stated !== '' && stated !== mimeType)
    return 'has another type than mime_type states'
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

function startOf({ base64 }: File): Uint8Array {
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
