import type { Glyph, Show } from '../content/glyph.ts'
import type { WritableCode } from '../font/font.ts'
import type { PdfDict } from '../reader/objects.ts'

/**
 * Fonts of files are cut to the glyphs that they show, while their tables list
 * more. So a value is written in the font of its tag only with characters that the document shows in that font.
 */
export class ShownCharacters {
  readonly #fonts = new Map<PdfDict | null, Map<string, WritableCode>>()

  add(glyphs: readonly Glyph[]): void {
    for (const { text, show, codeStart, codeEnd } of glyphs) {
      if (text === null) continue
      const known = this.#of(show)
      if (known.has(text)) continue
      const bytes = show.string.bytes.subarray(codeStart, codeEnd)
      const { width, isWordSpace } = show.font.codeAt(show.string.bytes, codeStart)
      known.set(text, { bytes, width, isWordSpace })
    }
  }

  /** How a character is written in the font of a shown text; null if it was not shown. */
  codeOf(show: Show, character: string): WritableCode | null {
    return this.#of(show).get(character) ?? show.font.codeOf?.(character) ?? null
  }

  #of({ state }: Show): Map<string, WritableCode> {
    const known = this.#fonts.get(state.fontDict) ?? new Map<string, WritableCode>()
    this.#fonts.set(state.fontDict, known)
    return known
  }
}
