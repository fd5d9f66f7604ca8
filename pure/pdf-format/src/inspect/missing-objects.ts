import { isDigit, isWhitespace, startsWith } from '../reader/characters.ts'
import type { PdfDocument } from '../reader/document.ts'
import { PdfRefused } from '../refusal.ts'

/**
 * A reference to an object that does not exist is null, and honest programs leave some. It is refused if the bytes have
 * an object of this number: deleted, of another generation, or inside of a stream. Some viewers find and show it.
 */
export function refuseMissingObjects(document: PdfDocument, missing: ReadonlySet<number>): void {
  if (missing.size === 0) return
  for (const number of missing) if (document.generationOf(number) !== null) throw refused(number)
  for (const number of document.containedNumbers()) if (missing.has(number)) throw refused(number)
  const { bytes } = document
  for (let at = bytes.indexOf(LETTER_O); at >= 0; at = bytes.indexOf(LETTER_O, at + 1)) {
    const number = startsWith(bytes, at, 'obj') ? numberBefore(bytes, at) : null
    if (number !== null && missing.has(number)) throw refused(number)
  }
}

const LETTER_O = 0x6f

function refused(number: number): PdfRefused {
  return new PdfRefused('missing_object', `a reference to object ${number}, which only a repair would find`)
}

/** Of `12 0 obj`; null for another word that ends in these letters. */
function numberBefore(bytes: Uint8Array, keyword: number): number | null {
  const generation = digitsBefore(bytes, skipBack(bytes, keyword))
  if (generation === null) return null
  const gap = skipBack(bytes, generation.start)
  return gap === generation.start ? null : (digitsBefore(bytes, gap)?.value ?? null)
}

function skipBack(bytes: Uint8Array, end: number): number {
  let at = end
  while (isWhitespace(bytes[at - 1])) at -= 1
  return at
}

/** No number of an object has more digits. */
const MAX_DIGITS = 10

function digitsBefore(bytes: Uint8Array, end: number): { readonly start: number; readonly value: number } | null {
  let start = end
  let value = 0
  for (; end - start < MAX_DIGITS && isDigit(bytes[start - 1]); start -= 1)
    value += ((bytes[start - 1] ?? 0) - 0x30) * 10 ** (end - start)
  return start === end ? null : { start, value }
}
