import { inspectPdf, openPdf, openTemplate, scanTemplate, type TemplateScan } from '@sealpost/pdf-format'
import { FIRST_MORE, pdfStream, plainPdf, templatePdf, type TemplateWish, textAt } from '@sealpost/pdf-format/testing'
import { scaled } from '@sealpost/testkit/slowness'
import { afterAll, describe, expect, test } from 'vitest'
import { FontBook } from '../fonts/font-book.ts'
import { openPdf as openJobs } from '../index.ts'
import { fillHere, readLines, valuesFor } from '../testing/fill.ts'
import { hostileFiles, hostileTemplates } from '../testing/index.ts'
import { templateFiles } from '../testing/templates/template-files.ts'

const book = await FontBook.open()

async function filled(file: Uint8Array, values: Readonly<Record<string, string>>) {
  const outcome = await fillHere(file, values, { book })
  if (!outcome.ok) throw new Error(outcome.refusal)
  return outcome.value
}

function scanned(file: Uint8Array): TemplateScan {
  const outcome = scanTemplate(file)
  if (!outcome.ok) throw new Error(outcome.refusal)
  return outcome.value
}

/** The content of the first page, one character per byte. */
function contentOf(file: Uint8Array): string {
  const opened = openPdf(file)
  if (!opened.ok) throw new Error(opened.refusal)
  const [page] = opened.value.tree.pages
  if (page === undefined) throw new Error('no page')
  return Buffer.from(openTemplate(opened.value).contentOf(page)).toString('latin1')
}

const page = (content: string, wish: Partial<TemplateWish> = {}) => templatePdf({ contents: [content], ...wish })
/** The text of a page in one piece, spaces left out. */
const textOf = (file: Uint8Array): string =>
  readLines(file)
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s/g, '')

describe.each(templateFiles())('$name', ({ bytes, keys, leftovers }) => {
  test('all tags are replaced, what is no tag stays, and the result passes the gate [GEN-18]', async () => {
    const { result, scan } = await filled(bytes, valuesFor(keys))
    const after = scanned(result)
    expect(scan.keys).toEqual(keys)
    expect(after.keys).toEqual([])
    expect(after.leftovers.map(({ reason, text }) => `${reason}: ${text}`)).toEqual(leftovers)
    expect(after.pages).toBe(scan.pages)
  })

  test('tags without a value print empty [GEN-18]', async () => {
    const { result } = await filled(bytes, {})
    expect(scanned(result).keys).toEqual([])
  })

  test('the same values make the same file', async () => {
    const [one, other] = [await filled(bytes, valuesFor(keys)), await filled(bytes, valuesFor(keys))]
    expect(Buffer.from(one.result).equals(other.result)).toBe(true)
  })
})

describe('in its place', () => {
  const template = page(
    `q 1 w 0 0 m 9 9 l S Q\n${textAt(72, 700, '(Dear {{name}}, hello) Tj')}\n${textAt(72, 680, '(Next) Tj')}`,
  )

  test('a value starts where its tag did, and what follows comes closer [GEN-18]', async () => {
    const [first, next] = [await filled(template, { name: 'Bo' }), await filled(template, { name: '' })]
    expect(readLines(first.result).map(({ text }) => text)).toEqual(['Dear Bo, hello', 'Next'])
    const width = (text: string): number => readLines(page(textAt(72, 700, `(${text}) Tj`)))[0]?.right ?? 0
    expect(readLines(first.result)[0]?.right).toBeCloseTo(width('Dear Bo, hello'), 1)
    expect(readLines(next.result)[0]?.right).toBeCloseTo(width('Dear , hello'), 1)
  })

  test('all other operators stay byte for byte', async () => {
    const before = contentOf(template)
    const after = contentOf((await filled(template, { name: 'Bo' })).result)
    const show = '(Dear {{name}}, hello) Tj'
    const at = before.indexOf(show)
    expect(after.startsWith(before.slice(0, at))).toBe(true)
    expect(after.endsWith(before.slice(at + show.length))).toBe(true)
  })

  test('nothing of the tag stays in the file, also not in its title', async () => {
    const { result } = await filled(template, { name: 'Bo' })
    expect(Buffer.from(result).toString('latin1')).not.toContain('{{')
    expect(contentOf(result)).not.toContain('7b7b')
  })

  test('a file without tags stays as it is', async () => {
    const { result, bytes } = await filled(plainPdf(), { name: 'Bo' })
    expect([bytes, Buffer.from(result).equals(plainPdf())]).toEqual([null, true])
  })

  test('another font is embedded for characters that the font of the tag does not show', async () => {
    const { result } = await filled(template, { name: 'Анна' })
    const lines = readLines(result)
    expect(textOf(result)).toBe('DearАнна,helloNext')
    expect(lines.find(({ text }) => text === 'Анна')).toMatchObject({ bottom: 700, size: 12 })
    expect(lines[1]?.left).toBeCloseTo(lines[0]?.right ?? 0, 1)
  })

  test('directions cannot be turned by marks in a value', async () => {
    const { result } = await filled(template, { name: '\u{202e}100\u{202c} \u{2066}EUR' })
    expect(textOf(result)).toBe('Dear100EUR,helloNext')
  })
})

describe('shows of every kind', () => {
  const kerned = '[({{) -3 (na) 12 (me) 5 (}})] TJ'
  test.each([
    ['a string', textAt(72, 700, '(a{{name}}b) Tj')],
    ['a string in hexadecimal digits', textAt(72, 700, '<617b7b6e616d657d7d62> Tj')],
    ['kerned pieces', textAt(72, 700, `(a) Tj ${kerned} (b) Tj`)],
    ['one operator per character', textAt(72, 700, Array.from('a{{name}}b', (one) => `(${one}) Tj`).join(' '))],
    ['the next line', textAt(72, 700, "14 TL (a{{name}}b) '")],
    ['the next line with spacing', textAt(72, 700, '14 TL 2 1 (a{{name}}b) "')],
    ['spread letters', textAt(72, 700, '2 Tc (a{{name}}b) Tj')],
    ['narrow letters', textAt(72, 700, '50 Tz (a{{name}}b) Tj')],
    ['raised letters', textAt(72, 700, '3 Ts (a{{name}}b) Tj')],
    ['a turned line', 'BT /F1 12 Tf 0.7 0.7 -0.7 0.7 200 300 Tm (a{{name}}b) Tj ET'],
    ['two contents', ['BT /F1 12 Tf 72 700 Td (a{{na) Tj', '(me}}b) Tj ET']],
    ['a bold line, drawn twice', `${textAt(72, 700, '(a{{name}}b) Tj')} ${textAt(72.4, 700, '(a{{name}}b) Tj')}`],
    ['two tags', textAt(72, 700, '(a{{name}}b{{ name }}c{{other}}d) Tj')],
  ] as const)('%s', async (_, content) => {
    const file = templatePdf({ contents: [content] })
    const before = readLines(file)
    for (const name of ['Bo', 'Łódź', '李', '']) {
      const { result } = await filled(file, { name })
      expect(scanned(result)).toMatchObject({ keys: [], leftovers: [] })
      expect(textOf(result)).toContain(`a${name}b`)
      expect(readLines(result)[0]).toMatchObject({ text: expect.stringMatching(/^a/), left: before[0]?.left })
    }
  })

  const font = '/Font [4 0 R 12]'
  const form = (content: string, members = ''): string =>
    pdfStream(`/Subtype /Form /BBox [0 0 500 800] ${members}`, content)
  test.each([
    ['the font of a graphics state', 'BT /G1 gs 72 700 Td (a{{name}}b) Tj ET', `/ExtGState <</G1 <<${font}>>>>`, []],
    [
      'a form that is drawn twice',
      'q /X1 Do Q 1 0 0 1 0 -50 cm /X1 Do',
      `/XObject <</X1 ${FIRST_MORE} 0 R>>`,
      [form(textAt(72, 700, '(a{{name}}b) Tj'), '/Resources <</Font <</F1 4 0 R>>>>')],
    ],
    [
      'text that is said to be other text',
      `/Span <</ActualText <feff007b007b>>> BDC ${textAt(72, 700, '(a{{name}}b) Tj')} EMC`,
      '',
      [],
    ],
  ] as const)('%s', async (_, content, resources, more) => {
    const file = page(content, { resources, more })
    for (const name of ['Bo', 'Łódź']) {
      const { result } = await filled(file, { name })
      expect(scanned(result)).toMatchObject({ keys: [], leftovers: [] })
      expect(textOf(result)).toContain(`a${name}b`)
      expect(contentOf(result)).not.toContain('ActualText <feff007b')
    }
  })
})

describe('a value that is too long', () => {
  const limited = page(
    `${textAt(72, 700, '(Name: {{name}}) Tj')} ${textAt(250, 700, '(Date) Tj')} ${textAt(72, 680, '(Other) Tj')}`,
  )
  const long = (count: number): string => 'n'.repeat(count)

  test('is shrunk to end before the next text, at most to 60 % of its size', async () => {
    const lines = readLines((await filled(limited, { name: long(26) })).result)
    const value = lines.find(({ text }) => text.includes('nnn'))
    expect(value?.size).toBeLessThan(12)
    expect(value?.size).toBeGreaterThan(12 * 0.6)
    expect(value?.right).toBeLessThan(250)
    expect(lines.find(({ text }) => text === 'Date')?.left).toBe(250)
  })

  test('is printed whole at 60 %, and reported', async () => {
    const { result, overflowing } = await filled(limited, { name: long(60) })
    expect(overflowing).toEqual([{ key: 'name', page: 1 }])
    const value = readLines(result).find(({ text }) => text.includes('nnn'))
    expect(value?.text).toHaveLength(60)
    expect(value?.size).toBeCloseTo(12 * 0.6, 5)
  })

  test('ends at the border of its cell', async () => {
    const bordered = page(`60 650 m 60 720 l S 200 650 m 200 720 l S ${textAt(72, 700, '({{name}}) Tj')}`)
    const { result, overflowing } = await filled(bordered, { name: long(22) })
    const [value] = readLines(result)
    expect(overflowing).toEqual([])
    expect(value?.right).toBeLessThan(200)
    expect(value?.size).toBeLessThan(12)
  })
})

describe('alignment is kept', () => {
  const body = `${textAt(72, 600, '(A line that goes from one margin to the other margin of this page, here) Tj')}
    ${textAt(72, 580, '(Another) Tj')}`

  test('of a line at the right margin', async () => {
    const right = readLines(page(body))[0]?.right ?? 0
    const tag = '(Total {{sum}}) Tj'
    const width = readLines(page(textAt(0, 0, tag)))[0]?.right ?? 0
    const file = page(`${textAt(right - width, 700, tag)} ${body}`)
    const [line] = readLines((await filled(file, { sum: '9' })).result)
    expect(line?.text).toBe('Total 9')
    expect(line?.right).toBeCloseTo(right, 1)
  })

  test('of a centered line', async () => {
    const tag = '({{title}} and more) Tj'
    const width = readLines(page(textAt(0, 0, tag)))[0]?.right ?? 0
    const file = page(`${textAt((595 - width) / 2, 700, tag)} ${body}`)
    const [line] = readLines((await filled(file, { title: 'A' })).result)
    expect(((line?.left ?? 0) + (line?.right ?? 0)) / 2).toBeCloseTo(595 / 2, 1)
  })
})

describe('what is no tag', () => {
  test.each([
    ['two lines', '({{na) Tj 0 -14 Td (me}}) Tj'],
    ['no key', '({{na me}}) Tj'],
  ])('%s: stays, and is reported', async (_, show) => {
    const file = page(textAt(72, 700, show))
    const { result, scan } = await filled(file, { name: 'Bo' })
    expect(Buffer.from(result).equals(file)).toBe(true)
    expect(scan.leftovers.length).toBeGreaterThan(0)
  })

  test('text with a gap of more than 0.6 em is no tag: it stays, and is reported [GEN-19]', async () => {
    const file = page(textAt(72, 700, '[({{na) -700 (me}})] TJ'))
    const { result, scan } = await filled(file, { name: 'Bo' })
    expect(Buffer.from(result).equals(file)).toBe(true)
    expect(scan.leftovers.map(({ text }) => text)).toEqual(['{{na', 'me}}'])
  })

  test('text with a smaller gap is one tag [GEN-19]', async () => {
    const { result } = await filled(page(textAt(72, 700, '[({{na) -590 (me}})] TJ')), { name: 'Bo' })
    expect(textOf(result)).toBe('Bo')
  })
})

describe('a hostile template', () => {
  test.each(hostileTemplates())('$name: is refused or filled, in time', async ({ bytes, outcome }) => {
    const start = performance.now()
    const result = await fillHere(bytes, { name: 'Анна' }, { book })
    expect(performance.now() - start).toBeLessThan(scaled(20_000))
    if (!result.ok) expect(result.refusal).toBe(outcome)
    else expect(inspectPdf(result.value.result).ok).toBe(true)
  })
})

describe('in a process of its own', () => {
  const jobs = openJobs()
  afterAll(() => jobs.close())
  const template = page(textAt(72, 700, '(Dear {{name}} {{missing}} {{a b}}) Tj'))

  test('a template is filled, with a report that has no value', async () => {
    const outcome = await jobs.fillTemplate('ana', template, new Map(Object.entries({ name: 'Зоя', other: 'x' })))
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        report: {
          keys: ['name', 'missing'],
          missing: ['missing'],
          unused: ['other'],
          leftovers: [{ text: '{{a b}}' }],
          overflowing: [],
          incomplete: [],
        },
      },
    })
    expect(outcome.ok && textOf(outcome.value.bytes)).toBe('DearЗоя{{ab}}')
    expect(JSON.stringify(outcome.ok && outcome.value.report)).not.toContain('Зоя')
  })

  test('the PDF of a participant is filled like a template, and stays as it is without tags', async () => {
    const outcome = await jobs.fillTemplate('ana', plainPdf(), new Map([['name', 'Bo']]))
    expect(outcome.ok && Buffer.from(outcome.value.bytes).equals(plainPdf())).toBe(true)
  })

  // The gate is the same code as in `hostile.test`, which reads all hostile files; each process costs half a second.
  test.each(['a signature', 'a bomb on a page'])('%s is refused by the gate', async (name) => {
    const file = hostileFiles().find((one) => one.name === name)
    const outcome = await jobs.fillTemplate('ana', file?.bytes ?? new Uint8Array(), new Map())
    expect(outcome).toEqual({ ok: false, refusal: file?.refusal })
  })
})
