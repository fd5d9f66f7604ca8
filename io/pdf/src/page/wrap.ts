import type { FontBook, Weight } from '../fonts/font-book.ts'
import { type ShapedLine, shapeLine } from '../fonts/shape.ts'

export interface TextStyle {
  readonly size: number
  readonly weight: Weight
  /** Points. */
  readonly width: number
}

const words = new Intl.Segmenter('und', { granularity: 'word' })
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Lines that fit; a word that is too long is broken. Control characters and ends of line become spaces. */
export async function wrapText(book: FontBook, text: string, style: TextStyle): Promise<readonly ShapedLine[]> {
  const lines: ShapedLine[] = []
  let current = ''
  for (const piece of await piecesOf(book, plainText(text), style)) {
    if (current !== '' && !(await fits(book, current + piece, style))) {
      lines.push(await shapeLine(book, current.trim(), style.weight))
      current = ''
    }
    current += piece
  }
  if (current.trim() !== '' || lines.length === 0) lines.push(await shapeLine(book, current.trim(), style.weight))
  return lines
}

/** Words, and the characters of words that are longer than a line. */
async function piecesOf(book: FontBook, text: string, style: TextStyle): Promise<readonly string[]> {
  const pieces: string[] = []
  for (const { segment } of words.segment(text)) {
    if (segment.length < LONG_WORD || (await fits(book, segment, style))) pieces.push(segment)
    else pieces.push(...Array.from(graphemes.segment(segment), (one) => one.segment))
  }
  return pieces
}

/** Shorter words fit on every line that is used here. */
const LONG_WORD = 12

async function fits(book: FontBook, text: string, { size, weight, width }: TextStyle): Promise<boolean> {
  const line = await shapeLine(book, text.trimEnd(), weight)
  return (line.width * size) / 1000 <= width
}

/** One line: control characters and ends of line become spaces. */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}
