import { scanTemplate, type TemplateScan } from '@sealpost/pdf-format'
import { hostileContentFiles, plainPdf, templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { scaled } from '@sealpost/testkit/slowness'
import { afterAll, describe, expect, test } from 'vitest'
import { readScan } from './child/read-scan.ts'
import { openPdf } from './index.ts'
import { corpusFiles } from './testing/corpus/corpus.ts'
import { hostileTemplates } from './testing/hostile/templates.ts'
import { templateFiles } from './testing/templates/template-files.ts'

function found(bytes: Uint8Array): TemplateScan {
  const outcome = scanTemplate(bytes)
  if (!outcome.ok) throw new Error(outcome.refusal)
  return outcome.value
}

test.each(templateFiles())('$name: tags, what looks like one, and what cannot be read', (file) => {
  const { keys, leftovers, unreadable, isCut } = found(file.bytes)
  expect(keys).toEqual(file.keys)
  expect(leftovers.map(({ reason, text }) => `${reason}: ${text}`)).toEqual(file.leftovers)
  expect(unreadable.map(({ reason }) => reason)).toEqual(file.unreadable)
  expect(isCut).toBe(false)
})

test.each(corpusFiles())('$name has no tags', ({ name, bytes }) => {
  expect(found(bytes)).toMatchObject({ keys: [], leftovers: [], unreadable: name === 'img2pdf.pdf' ? [{}] : [] })
})

const gated = hostileContentFiles()

describe('a hostile template', () => {
  test.each(hostileTemplates())('$name ends in time', ({ bytes, outcome }) => {
    const start = performance.now()
    const scanned = scanTemplate(bytes)
    expect(performance.now() - start).toBeLessThan(scaled(10_000))
    const reason = scanned.ok ? (scanned.value.unreadable[0]?.reason ?? 'read') : scanned.refusal
    expect(reason).toBe(outcome)
  })

  test.each(['only a header', 'encrypted', '301 pages', 'a script that runs when opened', 'a signature'])(
    '%s is refused by the gate',
    (name) => {
      const file = gated.find((one) => one.name === name)
      expect(scanTemplate(file?.bytes ?? new Uint8Array())).toEqual({ ok: false, refusal: file?.refusal })
    },
  )
})

describe('in a process of its own', () => {
  const pdf = openPdf()
  afterAll(() => pdf.close())

  test('a template is scanned, and a file that is none is refused', async () => {
    const bytes = templatePdf({ contents: [textAt(72, 700, '({{name}} {{a b}}) Tj')] })
    const outcomes = await Promise.all([pdf.scanTemplate('ana', bytes), pdf.scanTemplate('ana', Buffer.from('text'))])
    expect(outcomes).toEqual([scanTemplate(bytes), { ok: false, refusal: 'not_pdf' }])
  })
})

describe('the answer of a process is not trusted', () => {
  const scan = found(
    templatePdf({ contents: [textAt(72, 700, '({{name}} {{a b}}) Tj'), 'BI /W 1 /H 1 /BPC 8 /CS /G ID x EI'] }),
  )

  test('a scan comes through, without members that it does not have', () => {
    expect(readScan(JSON.parse(JSON.stringify(scan)))).toEqual(scan)
    expect(readScan({ ...scan, more: 1, tags: scan.tags.map((tag) => ({ ...tag, more: 1 })) })).toEqual(scan)
    expect(readScan(found(plainPdf()))).toEqual(found(plainPdf()))
  })

  const [tag] = scan.tags
  test.each([
    ['no object', null],
    ['no pages', { ...scan, pages: 0 }],
    ['a key with markup', { ...scan, keys: ['<b>'] }],
    ['a tag on no page', { ...scan, tags: [{ ...tag, page: 301 }] }],
    ['a tag without a place', { ...scan, tags: [{ ...tag, left: 'x' }] }],
    ['a tag from elsewhere', { ...scan, tags: [{ ...tag, source: 'x' }] }],
    ['too many tags', { ...scan, tags: Array.from({ length: 2_001 }, () => tag) }],
    ['a long text', { ...scan, leftovers: [{ reason: 'split', text: 'x'.repeat(81), page: 1 }] }],
    ['an unknown reason', { ...scan, leftovers: [{ reason: 'x', text: '', page: 1 }] }],
    ['a font that is no text', { ...scan, unreadable: [{ reason: 'font', page: 1, font: 1 }] }],
    ['no list', { ...scan, unreadable: {} }],
  ])('%s is no scan', (_, value) => {
    expect(readScan(value)).toBeNull()
  })
})
