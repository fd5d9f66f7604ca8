import { expect, test } from 'vitest'
import type { Glyph } from '../content/glyph.ts'
import { HALF_WIDE, readTemplatePage, textAt } from '../testing/index.ts'
import { ShownCharacters } from './shown-characters.ts'

/** A font with its program in the file, which may be cut. */
const EMBEDDED = `${HALF_WIDE} /FontDescriptor <</Type /FontDescriptor /FontFile2 1 0 R>>`

function glyphsOf(text: string, font: string): readonly [Glyph, ...Glyph[]] {
  const contents = [textAt(72, 700, `(${text}) Tj`)]
  const [first, ...others] = readTemplatePage({ contents, font }).page.shown.glyphs
  if (first === undefined) throw new Error('the page shows nothing')
  return [first, ...others]
}

test('characters are written as the document shows them in that font', () => {
  const shown = new ShownCharacters()
  const glyphs = glyphsOf('Ab b', EMBEDDED)
  const { show } = glyphs[0]
  expect(shown.codeOf(show, 'b')).toBeNull()
  shown.add(glyphs)
  expect(shown.codeOf(show, 'b')).toEqual({ bytes: Uint8Array.of(0x62), width: 0.5, isWordSpace: false })
  expect(shown.codeOf(show, ' ')).toEqual({ bytes: Uint8Array.of(0x20), width: 0.5, isWordSpace: true })
  expect(shown.codeOf(show, 'c')).toBeNull()
  expect(shown.codeOf(glyphsOf('Ab b', EMBEDDED)[0].show, 'b')).toBeNull()
})

test('viewers have the standard fonts as a whole', () => {
  const [{ show }] = glyphsOf('A', '/Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding')
  expect(new ShownCharacters().codeOf(show, 'b')).toMatchObject({ width: 0.556 })
  expect(new ShownCharacters().codeOf(show, 'ш')).toBeNull()
})
