/** A file inside an envelope: `data:<mime>;base64,…`. */
export interface DataUri {
  readonly mimeType: string
  readonly base64: string
  readonly byteLength: number
}

const MIME_TYPE = /^[\w.+-]+\/[\w.+-]+$/
const START = 'data:'
const MARK = ';base64,'
const PDF_HEADER = [0x25, 0x50, 0x44, 0x46, 0x2d]
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export function parseDataUri(text: string): DataUri | null {
  const parts = splitDataUri(text)
  const byteLength = parts === null ? null : decodedLength(parts.base64)
  return parts !== null && isMimeType(parts.mimeType) && byteLength !== null ? { ...parts, byteLength } : null
}

/** The parts of a data URI that was checked before: the check reads every character. */
export function splitDataUri(text: string): Pick<DataUri, 'mimeType' | 'base64'> | null {
  const mark = text.indexOf(MARK)
  if (!looksLikeDataUri(text) || mark < 0) return null
  return { mimeType: text.slice(START.length, mark), base64: text.slice(mark + MARK.length) }
}

export function looksLikeDataUri(text: string): boolean {
  return text.startsWith(START)
}

export function isMimeType(text: string): boolean {
  return MIME_TYPE.test(text)
}

/** The check pdf of a file: its MIME type and its first five bytes, `%PDF-`. */
export function isPdf(mimeType: string, start: ArrayLike<number>): boolean {
  return mimeType === 'application/pdf' && PDF_HEADER.every((byte, index) => start[index] === byte)
}

export function isPdfDataUri({ mimeType, base64 }: DataUri): boolean {
  return isPdf(mimeType, firstBytes(base64))
}

/** Null unless it is padded base64 of the standard alphabet. */
function decodedLength(base64: string): number | null {
  if (base64.length % 4 !== 0) return null
  const padding = ['==', '='].find((end) => base64.endsWith(end))?.length ?? 0
  const content = base64.slice(0, base64.length - padding)
  // A search for the first bad character never backtracks, however many megabytes it reads.
  if (content.search(/[^A-Za-z0-9+/]/) >= 0) return null
  return Math.floor((content.length * 3) / 4)
}

/** Six bytes: as many as the eight characters hold that span a PDF's header. */
function firstBytes(base64: string): readonly number[] {
  const sextets = Array.from(base64.slice(0, 8), (character) => ALPHABET.indexOf(character)).filter((six) => six >= 0)
  const bits = sextets.map((six) => six.toString(2).padStart(6, '0')).join('')
  return (bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}
