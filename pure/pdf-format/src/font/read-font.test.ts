import { expect, test } from 'vitest'
import { scanTemplate, type TemplateScan } from '../index.ts'
import { FIRST_MORE, pdfStream, templatePdf, textAt } from '../testing/index.ts'

/** Scans a page that shows one string in the font. */
function scan(font: string, string: string, more: readonly string[] = []): TemplateScan {
  const outcome = scanTemplate(templatePdf({ contents: [textAt(72, 700, `${string} Tj`)], font, more }))
  if (!outcome.ok) throw new Error(outcome.refusal)
  return outcome.value
}

const hex = (codes: readonly number[], digits: number): string =>
  `<${codes.map((code) => code.toString(16).padStart(digits, '0')).join('')}>`
const codesOf = (text: string): readonly number[] => Array.from(text, (character) => character.charCodeAt(0))
const TO_UNICODE = `/ToUnicode ${FIRST_MORE} 0 R`
const TAG = '{{na_me}}'

const cmap = (body: string): string => pdfStream('', `/CIDInit /ProcSet findresource begin begincmap ${body} endcmap`)

test('single characters, a range, and a range with a list', () => {
  const table = cmap(`1 begincodespacerange <00> <ff> endcodespacerange
    2 beginbfchar <01> <007B> <02> <007D> endbfchar
    2 beginbfrange <10> <29> <0061> <30> <31> [<005F> <00660066>] endbfrange`)
  const codes = [1, 1, 0x10, 0x30, 0x1c, 0x31, 2, 2]
  expect(scan(`/Subtype /TrueType /BaseFont /ABCDEF+Some ${TO_UNICODE}`, hex(codes, 2), [table]).keys).toEqual([
    'a_mff',
  ])
})

test('two bytes per glyph', () => {
  const table = cmap(`1 begincodespacerange <0000> <ffff> endcodespacerange
    1 beginbfrange <0100> <017f> <0000> endbfrange`)
  const font = `/Subtype /Type0 /BaseFont /Some /Encoding /Identity-H ${TO_UNICODE} /DescendantFonts [${FIRST_MORE + 1} 0 R]`
  const descendant = '<</Type /Font /Subtype /CIDFontType2 /DW 500 /W [256 [400] 257 300 600]>>'
  const codes = codesOf(TAG).map((code) => code + 0x100)
  expect(scan(font, hex(codes, 4), [table, descendant])).toMatchObject({ keys: ['na_me'], unreadable: [] })
})

test('glyphs without Unicode are reported, with the name of their font', () => {
  const font = '/Subtype /Type0 /BaseFont /ABCDEF+Mystery /Encoding /Identity-H /DescendantFonts [<</DW 500>>]'
  expect(scan(font, hex(codesOf(TAG), 4))).toMatchObject({
    keys: [],
    unreadable: [{ reason: 'font', page: 1, font: 'Mystery' }],
  })
  const symbolic = '/Subtype /TrueType /BaseFont /Odd /FontDescriptor <</Flags 4>>'
  expect(scan(symbolic, `(${TAG})`).unreadable).toEqual([{ reason: 'font', page: 1, font: 'Odd' }])
})

test('a page without the font that it names', () => {
  const outcome = scanTemplate(templatePdf({ contents: [`BT /F9 12 Tf 72 700 Td (${TAG}) Tj ET`] }))
  expect(outcome).toEqual({ ok: false, refusal: 'ambiguous_content' })
})

test('codes of mixed lengths, by an embedded encoding', () => {
  const encoding = cmap(`2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange
    1 begincidrange <00> <7f> 1 endcidrange 1 begincidchar <8001> 500 endcidchar`)
  const table = cmap('1 beginbfchar <8001> <005F> endbfchar 1 beginbfrange <20> <7e> <0020> endbfrange')
  const font = `/Subtype /Type0 /BaseFont /Some /Encoding ${FIRST_MORE + 1} 0 R ${TO_UNICODE} /DescendantFonts [<</DW 500>>]`
  expect(scan(font, '<7b7b6e61 8001 6d65 7d7d>', [table, encoding]).keys).toEqual(['na_me'])
})

test('encodings whose codes are characters, and glyphs of the collections of Adobe', () => {
  const unicode = '/Subtype /Type0 /BaseFont /Kozuka /Encoding /UniJIS-UCS2-H /DescendantFonts [<</DW 500>>]'
  expect(scan(unicode, hex(codesOf(TAG), 4)).keys).toEqual(['na_me'])
  const info = '/CIDSystemInfo <</Registry (Adobe) /Ordering (Japan1)>>'
  const collection = `/Subtype /Type0 /BaseFont /Kozuka /Encoding /Identity-H /DescendantFonts [<</DW 500 ${info}>>]`
  const cids = codesOf(TAG).map((code) => code - 31)
  expect(scan(collection, hex(cids, 4)).keys).toEqual(['na_me'])
})

test('names of glyphs instead of codes, ligatures among them', () => {
  const names = '/braceleft /o /ffi /underscore /c /uni0065 /braceright'
  const font = `/Subtype /Type1 /BaseFont /Some /Encoding <</Differences [1 ${names}]>> /FirstChar 1 /Widths [480 500 800 500 500 500 480]`
  expect(scan(font, hex([1, 1, 2, 3, 4, 5, 6, 7, 7], 2)).keys).toEqual(['offi_ce'])
})

test('the encoding inside of a Type1 program', () => {
  const program = (encoding: string): string =>
    pdfStream('', `%!PS-AdobeFont-1.0\n/Encoding ${encoding} currentfile eexec`)
  const font = `/Subtype /Type1 /BaseFont /Own /FontDescriptor <</Flags 4 /FontFile ${FIRST_MORE} 0 R>>`
  const own = program('256 array dup 1 /braceleft put dup 2/a put dup 3 /braceright put readonly def')
  expect(scan(font, hex([1, 1, 2, 3, 3], 2), [own]).keys).toEqual(['a'])
  expect(scan(font, `(${TAG})`, [program('StandardEncoding def')]).keys).toEqual(['na_me'])
})

test('characters outside of ASCII in the encodings of Windows, Mac and Adobe', () => {
  const text = (encoding: string, code: number): string | undefined =>
    scan(
      `/Subtype /Type1 /BaseFont /Helvetica /Encoding /${encoding}`,
      hex([...codesOf('{{'), code, ...codesOf('}}')], 2),
    ).leftovers[0]?.text
  expect(['WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding'].map((name) => text(name, 0xe9))).toEqual([
    '{{é}}',
    '{{È}}',
    '{{Ø}}',
  ])
})

test('drawn glyphs have widths in units of their own', () => {
  const font = `/Subtype /Type3 /FontMatrix [0.01 0 0 0.01 0 0] /FontBBox [0 0 60 100] /FirstChar 95 /LastChar 125 ${TO_UNICODE}
    /Widths [${'50 '.repeat(31)}] /CharProcs <<>> /Encoding <</Differences [95]>>`
  const table = cmap('1 beginbfrange <20> <7e> <0020> endbfrange')
  const { tags } = scan(font, `(${TAG})`, [table])
  expect(tags).toMatchObject([{ key: 'na_me', width: 54, fontSize: 12 }])
})

test('vertical lines', () => {
  const table = cmap('1 beginbfrange <0020> <007e> <0020> endbfrange')
  const font = `/Subtype /Type0 /BaseFont /Some /Encoding /Identity-V ${TO_UNICODE} /DescendantFonts [<</DW 500>>]`
  const { tags } = scan(font, hex(codesOf(TAG), 4), [table])
  expect(tags).toMatchObject([{ key: 'na_me', height: 108 }])
})
