import { describe, expect, test } from 'vitest'
import { scanTemplate, type TemplateScan } from '../index.ts'
import { FIRST_MORE, pdfStream, templatePdf, type TemplateWish, textAt } from '../testing/index.ts'

function scan(wish: TemplateWish | string): TemplateScan {
  const outcome = scanTemplate(templatePdf(typeof wish === 'string' ? { contents: [wish] } : wish))
  if (!outcome.ok) throw new Error(outcome.refusal)
  return outcome.value
}

const keysOf = (wish: TemplateWish | string): readonly string[] => scan(wish).keys
const show = (text: string): string => textAt(72, 700, `(${text}) Tj`)

test('a tag has a key, a page, a place and a font size', () => {
  const { tags, ...rest } = scan({ contents: ['', textAt(100, 742, '({{client_name}}) Tj', 10)] })
  expect(tags).toEqual([
    { key: 'client_name', source: 'text', page: 2, left: 100, top: 92, width: 67.27, height: 10.5, fontSize: 10 },
  ])
  expect(rest).toEqual({ pages: 2, keys: ['client_name'], leftovers: [], unreadable: [], isCut: false })
})

test('keys are listed once, in lower case, in the order of the pages', () => {
  expect(keysOf({ contents: [show('{{b}} {{A}} {{ b }}'), show('{{plugin.block.id}} {{a}}')] })).toEqual([
    'b',
    'a',
    'plugin.block.id',
  ])
})

describe('one piece of text [GEN-19]', () => {
  test.each([
    ['one string', '({{client_name}}) Tj'],
    ['an array with kerning', '[({{cl) 30 (ient) -60 (_na) 15 (me}})] TJ'],
    ['one letter at a time', '[({)0({)0(c)0(l)0(i)0(e)0(n)0(t)0(_)0(n)0(a)0(m)0(e)0(})0(})] TJ'],
    ['several strings', '({{cli) Tj (ent_) Tj (name}}) Tj'],
    ['two places side by side', '({{client) Tj 41.4 0 Td (_name}}) Tj'],
    ['a gap of half the font size', '[({{client_) -500 (name}})] TJ'],
    ['hexadecimal and escaped strings', '(\\173{cl\\\r\nient) Tj <5F6E616D657d7d> Tj'],
    ['spacing of characters', '3 Tc ({{client_name}}) Tj'],
    ['a narrow scale', '50 Tz ({{client_name}}) Tj'],
    ['a matrix', '2 0 0 2 10 10 Tm ({{client) Tj (_name}}) Tj'],
    ['the next line', "14 TL (first) Tj ({{client_name}}) '"],
    ['the next line with spacing', '14 TL 0 0 ({{client_name}}) "'],
  ])('%s', (_, operators) => {
    expect(scan(textAt(72, 700, operators))).toMatchObject({ keys: ['client_name'], leftovers: [] })
  })

  test.each([
    ['a gap of seven tenths of the font size', '[({{client_) -700 (name}})] TJ'],
    ['two lines', '({{client_) Tj 0 -14 Td (name}}) Tj'],
    ['two places', '({{client_) Tj 200 0 Td (name}}) Tj'],
    ['wide spacing of characters', '8 Tc ({{client_name}}) Tj'],
    ['a turn', '({{client_) Tj 0 1 -1 0 118.7 700 Tm (name}}) Tj'],
  ])('not %s', (_, operators) => {
    const { keys, leftovers } = scan(textAt(72, 700, operators))
    expect(keys).toEqual([])
    expect(leftovers.filter(({ reason }) => reason !== 'split')).toEqual([])
  })

  test('parts of a content are one content', () => {
    expect(keysOf({ contents: [['BT /F1 12', 'Tf 72 700 Td', '({{client_name}}) Tj', 'ET']] })).toEqual(['client_name'])
  })

  test('letters that are drawn in another order than they are seen', () => {
    const letters = Array.from('{{name}}', (letter, at) => `1 0 0 1 ${72 + at * 7} 700 Tm (${letter}) Tj`)
    expect(keysOf(textAt(0, 0, letters.toReversed().join(' ')))).toEqual(['name'])
  })

  test('text that is drawn twice to look bold is one tag, by string and by letter', () => {
    const letters = Array.from('{{name}}', (letter, at) =>
      [0, 0.3].map((by) => `1 0 0 1 ${72 + at * 7 + by} 700 Tm (${letter}) Tj`).join(' '),
    )
    expect(scan(textAt(0, 0, letters.join(' '))).tags).toHaveLength(1)
    expect(scan(`${show('{{name}}')} ${textAt(72.3, 700, '({{name}}) Tj')}`).tags).toHaveLength(1)
  })
})

test('what looks like a tag is reported', () => {
  const { keys, leftovers } = scan(show('{{First Name}} {{}} {{9x}} {{a.b.c.d}} {{open'))
  expect(keys).toEqual([])
  expect(leftovers).toEqual([
    { reason: 'syntax', text: '{{First Name}}', page: 1 },
    { reason: 'syntax', text: '{{}}', page: 1 },
    { reason: 'syntax', text: '{{9x}}', page: 1 },
    { reason: 'syntax', text: '{{a.b.c.d}}', page: 1 },
    { reason: 'split', text: '{{open', page: 1 },
  ])
  expect(scan(show(`{{${'x'.repeat(64)}}} {{${'y'.repeat(65)}}}`))).toMatchObject({
    keys: ['x'.repeat(64)],
    leftovers: [{ reason: 'syntax', text: `{{${'y'.repeat(65)}}}` }],
  })
  expect(scan(show('a {brace} and a set {x} of {y'))).toMatchObject({ keys: [], leftovers: [] })
})

test('a tag in text that is not drawn is none', () => {
  expect(scan(`3 Tr ${show('{{scanned}}')}`)).toMatchObject({
    keys: [],
    leftovers: [{ reason: 'invisible', text: '{{scanned}}', page: 1 }],
  })
})

test('a page with a picture and no text is reported', () => {
  const image = 'BI /W 1 /H 1 /BPC 8 /CS /G ID \u{ff} EI'
  expect(scan({ contents: [image, show('text'), ''] }).unreadable).toEqual([{ reason: 'picture', page: 1 }])
  expect(scan(`${image}\n${show('{{after}}')}`)).toMatchObject({ keys: ['after'], unreadable: [] })
  const inside = show('{{inside}}')
  expect(keysOf(`BI /W ${inside.length} /H 1 /BPC 8 /CS /G ID ${inside} EI\n${show('{{after}}')}`)).toEqual(['after'])
})

describe('places', () => {
  const placed = (page: string) => scan({ contents: [textAt(100, 700, '({{a}}) Tj', 10)], page }).tags[0]

  test('on a page that is turned or cropped', () => {
    const size = { width: 18.92, height: 10.5 }
    const turned = { width: 10.5, height: 18.92 }
    expect(placed('')).toMatchObject({ left: 100, top: 134, ...size })
    expect(placed('/Rotate 90')).toMatchObject({ left: 697.5, top: 100, ...turned })
    expect(placed('/Rotate 180')).toMatchObject({ left: 476.08, top: 697.5, ...size })
    expect(placed('/Rotate 270')).toMatchObject({ left: 134, top: 476.08, ...turned })
    expect(placed('/Rotate -90')).toMatchObject({ left: 134, top: 476.08, ...turned })
    expect(placed('/CropBox [50 600 300 800]')).toMatchObject({ left: 50, top: 92, ...size })
  })

  test('of text in forms, with their matrix, on each page that draws them', () => {
    const form = pdfStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Matrix [2 0 0 2 10 20] /Resources <</Font <</F1 4 0 R>>>>`,
      textAt(5, 5, '({{a}}) Tj', 10),
    )
    const { tags } = scan({
      contents: ['q 1 0 0 1 100 100 cm /X Do Q'],
      resources: `/XObject <</X ${FIRST_MORE} 0 R>>`,
      more: [form],
    })
    expect(tags).toMatchObject([{ left: 120, width: 37.84, fontSize: 20 }])
    const both = scan({ contents: ['/X Do', '/X Do'], resources: `/XObject <</X ${FIRST_MORE} 0 R>>`, more: [form] })
    expect(both.tags.map(({ page }) => page)).toEqual([1, 2])
  })

  test('of text in the appearance of a note', () => {
    const form = pdfStream(
      `/Subtype /Form /BBox [0 0 50 10] /Resources <</Font <</F1 4 0 R>>>>`,
      textAt(0, 2, '({{note}}) Tj', 8),
    )
    const note = `<</Type /Annot /Subtype /FreeText /F 4 /Rect [100 100 200 120] /AP <</N ${FIRST_MORE + 1} 0 R>>>>`
    const { tags } = scan({ contents: [''], page: `/Annots [${FIRST_MORE} 0 R]`, more: [note, form] })
    expect(tags).toMatchObject([{ key: 'note', left: 100, fontSize: 16 }])
  })
})

test('form fields with the name of a key', () => {
  const field = (name: string, members: string): string =>
    `<</Type /Annot /Subtype /Widget /T (${name}) /Rect [100 742 200 762] ${members}>>`
  const fields = [
    field('client_name', '/FT /Tx /DA (/Helv 9 Tf 0 g)'),
    field('{{ Agreed }}', '/FT /Btn'),
    field('output', `/Parent ${FIRST_MORE + 6} 0 R`),
    field('{{not a key}}', '/FT /Tx'),
    field('Not a key', '/FT /Tx'),
    field('hidden', '/FT /Tx /F 2'),
    '<</T (plugin) /FT /Tx>>',
    field('signature', '/FT /Sig'),
  ]
  const listed = fields.flatMap((_, at) => (at === 6 ? [] : [`${FIRST_MORE + at} 0 R`]))
  const { tags, leftovers } = scan({ contents: [''], page: `/Annots [${listed.join(' ')}]`, more: fields })
  expect(tags.map(({ key }) => key)).toEqual(['client_name', 'agreed', 'plugin.output'])
  expect(tags[0]).toMatchObject({ source: 'field', left: 100, top: 80, width: 100, height: 20, fontSize: 9 })
  expect(leftovers).toEqual([{ reason: 'syntax', text: '{{not a key}}', page: 1 }])
})

test('more than is listed', () => {
  const many = Array.from({ length: 2_100 }, (_, at) => textAt(72, 10_000 - at * 20, `({{k${at % 7}}} {{9}}) Tj`))
  const { tags, keys, leftovers, isCut } = scan(many.join('\n'))
  expect([tags.length, keys.length, leftovers.length, isCut]).toEqual([2_000, 7, 200, true])
})
