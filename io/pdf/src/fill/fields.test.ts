import { inflateSync } from 'node:zlib'
import { inspectPdf, openPdf, scanTemplate } from '@sealpost/pdf-format'
import { buildPdf, pageObjects, pdfStream } from '@sealpost/pdf-format/testing'
import { expect, test } from 'vitest'
import { FontBook } from '../fonts/font-book.ts'
import { fillHere, readLines } from '../testing/fill.ts'

const book = await FontBook.open()

const BOX = '/Rect [100 700 300 720]'
const FONT = '/Resources <</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>'
const FRAME = pdfStream(
  `/Subtype /Form /BBox [0 0 200 20] ${FONT}`,
  '0 0 200 20 re S /Tx BMC BT /F1 9 Tf (old) Tj ET EMC',
)
const MARK = pdfStream('/Subtype /Form /BBox [0 0 20 20]', '0 0 20 20 re f')
const EMPTY = pdfStream('/Subtype /Form /BBox [0 0 20 20]', '0 0 20 20 re S')

/** One page with fields, whose members are given; objects 5, 6 and 7 are appearances. */
function formPdf(...fields: readonly string[]): Uint8Array {
  const places = fields.map((_, at) => `${at + 8} 0 R`).join(' ')
  return buildPdf([
    ...pageObjects({
      catalog: `/AcroForm <</Fields [${places}] /DA (/Helv 11 Tf 0 0 1 rg)>>`,
      page: `/Annots [${places}] /Contents 4 0 R`,
    }),
    pdfStream('', 'q 2 0 0 2 0 0 cm'),
    FRAME,
    MARK,
    EMPTY,
    ...fields.map((members) => `<</Type /Annot /Subtype /Widget /F 4 /P 3 0 R ${members}>>`),
  ])
}

const text = (name: string, more = ''): string => `/FT /Tx /T (${name}) ${BOX} /AP <</N 5 0 R>> ${more}`

async function filled(file: Uint8Array, values: Readonly<Record<string, string>>) {
  const outcome = await fillHere(file, values, { book })
  if (!outcome.ok) throw new Error(outcome.refusal)
  expect(inspectPdf(outcome.value.result).ok).toBe(true)
  return outcome.value
}

/** All streams, decoded. */
function inflatedText(file: Uint8Array): string {
  const opened = openPdf(file)
  if (!opened.ok) throw new Error(opened.refusal)
  const { document } = opened.value
  return [...document.references.places.keys()]
    .map((number) => document.object(number))
    .flatMap((object) => (typeof object === 'object' && object?.kind === 'stream' ? [object] : []))
    .map(({ raw, dict }) => (dict.entries.has('Filter') ? inflateSync(raw) : Buffer.from(raw)).toString('latin1'))
    .join('\n')
}

test.each(['client_name', '{{client_name}}'])('a field called %s is drawn as text, and is gone', async (name) => {
  const { result } = await filled(formPdf(text(name)), { client_name: 'Zoë' })
  const lines = readLines(result)
  expect(lines.map((line) => line.text)).toEqual(['Zoë'])
  expect(lines[0]).toMatchObject({ left: 102, size: 11 })
  expect(lines[0]?.bottom).toBeGreaterThan(700)
  expect(lines[0]?.bottom).toBeLessThan(710)
  expect(Buffer.from(result).toString('latin1')).not.toMatch(/AcroForm|Widget/)
  expect(scanTemplate(result)).toMatchObject({ value: { keys: [] } })
})

test('a field without a value is emptied', async () => {
  const { result } = await filled(formPdf(text('client_name')), {})
  expect(readLines(result)).toEqual([])
})

test('a long value is shrunk, and reported if 60 % are too large', async () => {
  const [long, longer] = [
    await filled(formPdf(text('a')), { a: 'n'.repeat(40) }),
    await filled(formPdf(text('a')), { a: 'n'.repeat(90) }),
  ]
  expect(long.overflowing).toEqual([])
  expect(readLines(long.result)[0]?.right).toBeLessThan(300)
  expect(longer.overflowing).toEqual([{ key: 'a', page: 1 }])
  expect(readLines(longer.result)[0]?.size).toBeCloseTo(11 * 0.6, 5)
})

test('a field of several lines keeps them, and is aligned', async () => {
  const tall = text('a', '/Ff 4096 /Q 2').replace('[100 700 300 720]', '[100 600 300 720]')
  const { result } = await filled(formPdf(tall), { a: 'First\nSecond line' })
  const lines = readLines(result)
  expect(lines.map((line) => line.text)).toEqual(['First', 'Second line'])
  expect(lines.map(({ right }) => Math.round(right))).toEqual([298, 298])
})

test('a text from right to left starts at the right', async () => {
  const { result } = await filled(formPdf(text('a')), { a: 'דוד' })
  expect(readLines(result)[0]?.right).toBeCloseTo(298, 0)
})

test.each([
  ['true', 'f'],
  ['Yes', 'f'],
  ['false', 'S'],
  ['', 'S'],
])('a check box with the value "%s"', async (value, operator) => {
  const box = '/FT /Btn /T (agreed) /Rect [100 700 120 720] /AS /Off /AP <</N <</Yes 6 0 R /Off 7 0 R>>>>'
  const { result } = await filled(formPdf(box), { agreed: value })
  expect(inflatedText(result)).toContain(`0 0 20 20 re ${operator}`)
  expect(inflatedText(result)).not.toContain(`0 0 20 20 re ${operator === 'f' ? 'S' : 'f'}`)
})

test('other fields stay', async () => {
  const { result } = await filled(formPdf(text('a'), text('Not a key')), { a: 'x' })
  const raw = Buffer.from(result).toString('latin1')
  expect(raw).toContain('AcroForm')
  expect(raw.match(/Widget/g)).toHaveLength(1)
})

test('the content of a page that leaves the graphics state open does not move the value', async () => {
  const { result } = await filled(formPdf(text('a')), { a: 'x' })
  expect(readLines(result)[0]).toMatchObject({ left: 102, size: 11 })
})
