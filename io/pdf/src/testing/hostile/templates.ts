import { deflateSync } from 'node:zlib'
import {
  buildPdf,
  FIRST_MORE,
  pageObjects,
  pdfStream,
  templatePdf,
  type TemplateWish,
  textAt,
} from '@sealpost/pdf-format/testing'

/** A template that is made to cost much, and how its scan ends: refused, or with a page that cannot be read. */
export interface HostileTemplate {
  readonly name: string
  readonly outcome: 'too_complex' | 'ambiguous_content' | 'content' | 'font' | 'read'
  readonly bytes: Uint8Array
}

const FLATE = '/Filter /FlateDecode'
const packed = (text: string): string => deflateSync(Buffer.from(text, 'latin1')).toString('latin1')
const page = (content: string, wish: Partial<TemplateWish> = {}): Uint8Array =>
  templatePdf({ contents: [packed(content)], stream: FLATE, ...wish })
const TEXT = textAt(72, 700, '({{name}}) Tj')

/** Files that pass the gate: their operators, fonts and forms are what costs. */
export function hostileTemplates(): readonly HostileTemplate[] {
  return [...operators(), ...forms(), ...fonts(), ...filters()]
}

function operators(): readonly HostileTemplate[] {
  return [
    { name: 'arrays of 100,000 levels', outcome: 'ambiguous_content', bytes: page(`${'['.repeat(100_000)} TJ`) },
    {
      name: 'dictionaries of 100,000 levels',
      outcome: 'ambiguous_content',
      bytes: page(`${'<</A '.repeat(100_000)} BDC`),
    },
    { name: 'three million saved states', outcome: 'content', bytes: page('q '.repeat(3_000_000)) },
    { name: 'ten million operators', outcome: 'too_complex', bytes: page('n '.repeat(10_000_000)) },
    {
      name: 'an operator with a million operands',
      outcome: 'ambiguous_content',
      bytes: page(`${'1 '.repeat(1_000_000)} TJ`),
    },
    {
      name: 'an array with a million numbers',
      outcome: 'ambiguous_content',
      bytes: page(`[${'1 '.repeat(1_000_000)}] TJ`),
    },
    { name: '200,000 shown characters', outcome: 'too_complex', bytes: page(shown(200_000)) },
    { name: 'a string without an end', outcome: 'ambiguous_content', bytes: page(`BT (${'('.repeat(1_000_000)}`) },
    { name: 'an image without an end', outcome: 'ambiguous_content', bytes: page(`BI ID ${'E'.repeat(2_000_000)}`) },
    {
      name: 'a hundred thousand images',
      outcome: 'ambiguous_content',
      bytes: page(`${'BI ID x EI\n'.repeat(100_000)} ${TEXT}`),
    },
    {
      name: '30,000 open tags',
      outcome: 'read',
      bytes: page(`${textAt(0, 0, `(${'{{a'.repeat(30_000)}) Tj`)} ${TEXT}`),
    },
    {
      name: '90,000 braces',
      outcome: 'read',
      bytes: page(`${textAt(0, 0, `(${'{'.repeat(90_000)}) Tj`)} ${TEXT}`),
    },
    {
      name: 'numbers without an end',
      outcome: 'ambiguous_content',
      bytes: page(`${'9'.repeat(1_000_000)} w -.+-..5 w ${TEXT}`),
    },
    {
      name: 'places outside of numbers',
      outcome: 'read',
      bytes: page(`${'99999999 0 0 99999999 0 0 cm '.repeat(60)} ${TEXT}`),
    },
    { name: 'a content that is listed ten thousand times', outcome: 'too_complex', bytes: repeatedContent(10_000) },
  ]
}

const shown = (count: number): string => textAt(0, 0, `(${'x'.repeat(count)}) Tj`)

function repeatedContent(times: number): Uint8Array {
  const contents = `/Contents [${'4 0 R '.repeat(times)}]`
  return buildPdf(pageObjects({ page: contents, more: [pdfStream('', ' '.repeat(100_000))] }))
}

const form = (content: string, resources: string): string =>
  pdfStream(`/Subtype /Form /BBox [0 0 9 9] /Resources <<${resources}>>`, content)
const named = (numbers: readonly number[]): string =>
  `/XObject <<${numbers.map((number, at) => `/X${at} ${number} 0 R`).join(' ')}>>`

function forms(): readonly HostileTemplate[] {
  const first = named([FIRST_MORE])
  const wish = (more: readonly string[]): Partial<TemplateWish> => ({ resources: first, more })
  // Each form draws the next one ten times.
  const exponential = Array.from({ length: 10 }, (_, at) => form('/X0 Do '.repeat(10), named([FIRST_MORE + at + 1])))
  const chain = Array.from({ length: 40 }, (_, at) => form('/X0 Do', named([FIRST_MORE + at + 1])))
  return [
    { name: 'a form that draws itself', outcome: 'read', bytes: page(`/X0 Do ${TEXT}`, wish([form('/X0 Do', first)])) },
    {
      name: 'two forms that draw each other',
      outcome: 'read',
      bytes: page(`/X0 Do ${TEXT}`, wish([form('/X0 Do', named([FIRST_MORE + 1])), form('/X0 Do', first)])),
    },
    {
      name: 'forms of forms, ten billion of them',
      outcome: 'too_complex',
      bytes: page('/X0 Do', wish([...exponential, form('', '')])),
    },
    { name: 'forms of 40 levels', outcome: 'content', bytes: page(`${TEXT} /X0 Do`, wish([...chain, form('', '')])) },
    {
      name: 'an empty form, 200,000 times',
      outcome: 'too_complex',
      bytes: page('/X0 Do '.repeat(200_000), wish([form('', '')])),
    },
  ]
}

const table = (body: string): string => pdfStream(FLATE, packed(body))

function fonts(): readonly HostileTemplate[] {
  const wide = (body: string): Partial<TemplateWish> => ({
    font: `/Subtype /Type0 /BaseFont /Some /Encoding /Identity-H /ToUnicode ${FIRST_MORE} 0 R /DescendantFonts [<<>>]`,
    more: [table(body)],
  })
  const text = textAt(72, 700, '<00410042> Tj')
  return [
    {
      name: 'a range of four billion characters',
      outcome: 'font',
      bytes: page(text, wide('<00000000> <ffffffff> <0041> endbfrange')),
    },
    {
      name: 'a thousand ranges of 65,536 characters',
      outcome: 'too_complex',
      bytes: page(text, wide(`${'<0000> <ffff> <0041> '.repeat(1_000)} endbfrange`)),
    },
    {
      name: 'a table without an end',
      outcome: 'font',
      bytes: page(text, wide(`${'<0001> <0041> '.repeat(300_000)} endbfchar`)),
    },
    { name: 'a table of nested arrays', outcome: 'font', bytes: page(text, wide(`${'['.repeat(500_000)} endbfrange`)) },
    {
      name: 'a thousand ranges of widths',
      outcome: 'too_complex',
      bytes: page(text, {
        font: `/Subtype /Type0 /BaseFont /Some /Encoding /Identity-H /DescendantFonts [<</W [${'0 65535 1 '.repeat(1_000)}]>>]`,
      }),
    },
    {
      name: 'a font program of one long line',
      outcome: 'font',
      bytes: page(textAt(72, 700, '(abc) Tj'), {
        font: `/Subtype /Type1 /BaseFont /Own /FontDescriptor <</FontFile ${FIRST_MORE} 0 R>>`,
        more: [table(`/Encoding ${'dup 1 '.repeat(1_000_000)}`)],
      }),
    },
  ]
}

const only = (stream: string, content: string): Uint8Array => templatePdf({ contents: [content], stream })

function filters(): readonly HostileTemplate[] {
  const run = Buffer.alloc(2 * 540_000, Buffer.from([129, 0x20])).toString('latin1')
  return [
    { name: 'a bomb of runs', outcome: 'ambiguous_content', bytes: only('/Filter /RunLengthDecode', run) },
    {
      name: 'a bomb of runs in a compressed stream',
      outcome: 'ambiguous_content',
      bytes: only('/Filter [/FlateDecode /RunLengthDecode]', packed(run)),
    },
    {
      name: 'a bomb of zeros',
      outcome: 'ambiguous_content',
      bytes: only('/Filter [/FlateDecode /ASCII85Decode]', packed('z'.repeat(17_000_000))),
    },
    { name: 'a picture as content', outcome: 'ambiguous_content', bytes: only('/Filter /DCTDecode', 'x') },
    { name: 'an unknown filter', outcome: 'ambiguous_content', bytes: only('/Filter /Unheard', 'x') },
  ]
}
