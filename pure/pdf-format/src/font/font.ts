/** One code of a shown string. */
export interface FontCode {
  /** Bytes. */
  readonly length: number
  /** Null if the font does not say which characters it shows. */
  readonly text: string | null
  /** Of a font size of 1; along the line, also for vertical text. */
  readonly width: number
  /** Word spacing applies to it. */
  readonly isWordSpace: boolean
}

/** How a font turns the bytes of a string into text and room. */
export interface PdfFont {
  /** Without the prefix of a subset. */
  readonly name: string
  readonly isVertical: boolean
  /** The height of the letter M's box at a font size of 1: 1 except for fonts made of drawings. */
  readonly em: number
  codeAt(bytes: Uint8Array, at: number): FontCode
  /** For fonts that viewers have, and that no file cuts: how a character is written; null if it cannot be. */
  codeOf?(character: string): WritableCode | null
}

export interface WritableCode {
  readonly bytes: Uint8Array
  readonly width: number
  readonly isWordSpace: boolean
}

/** For a font that the page does not have: its text takes room, and cannot be read. */
export function missingFont(name: string): PdfFont {
  const code: FontCode = { length: 1, text: null, width: 0.5, isWordSpace: false }
  return { name, isVertical: false, em: 1, codeAt: () => code }
}

/** Null for texts that say nothing: control characters, private use, the replacement character. */
export function cleanText(text: string | undefined): string | null {
  if (text === undefined || text === '' || /^[\p{Cc}\p{Co}\u{fffd}]+$/u.test(text)) return null
  return /[\u{fb00}-\u{fb06}]/u.test(text) ? text.normalize('NFKC') : text
}
