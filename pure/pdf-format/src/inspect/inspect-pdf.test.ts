import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inspectPdf } from '../index.ts'
import { buildPdf, pageObjects, plainPdf } from '../testing/index.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const bytesOf = (content: string) => Buffer.from(content, 'latin1')

function refusalOf(bytes: Uint8Array): string {
  const outcome = inspectPdf(bytes)
  return outcome.ok ? 'accepted' : outcome.refusal
}

describe('accepted', () => {
  test('a plain file, with the number of its pages and the size of the first', () => {
    expect(inspectPdf(plainPdf(3))).toEqual({ ok: true, value: { pages: 3, width: 595, height: 842 } })
  })

  test('300 pages', () => {
    expect(inspectPdf(plainPdf(300))).toMatchObject({ value: { pages: 300 } })
  })

  test('a turned page, a cropped page and one that inherits its size', () => {
    const tree = (page: string) =>
      inspectPdf(
        buildPdf([
          '<</Type /Catalog /Pages 2 0 R>>',
          '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100 200]>>',
          `<</Type /Page /Parent 2 0 R ${page}>>`,
        ]),
      )
    expect(tree('')).toMatchObject({ value: { width: 100, height: 200 } })
    expect(tree('/Rotate 270')).toMatchObject({ value: { width: 200, height: 100 } })
    expect(tree('/CropBox [10 10 60 90]')).toMatchObject({ value: { width: 50, height: 80 } })
  })

  test('objects and cross-references in streams', () => {
    const [catalog = '', tree = '', page = ''] = pageObjects()
    const head = `1 0 2 ${catalog.length + 1} `
    const packed = deflateSync(bytesOf(`${head}${catalog} ${tree}`)).toString('latin1')
    const container = `<</Type /ObjStm /N 2 /First ${head.length} /Filter /FlateDecode /Length ${packed.length}>>\nstream\n${packed}\nendstream`
    const file = buildPdf([null, null, page, container], {
      table: ([, , third = 0, fourth = 0]) => {
        const rows = Buffer.from([
          0,
          0,
          0,
          0,
          2,
          0,
          4,
          0,
          2,
          0,
          4,
          1,
          1,
          third >> 8,
          third & 255,
          0,
          1,
          fourth >> 8,
          fourth & 255,
          0,
        ])
        // PNG's predictor "up", as most producers write it.
        const filtered = Array.from({ length: 5 }, (_, row) =>
          Buffer.from([
            2,
            ...Array.from(
              { length: 4 },
              (__, column) => (rows[row * 4 + column] ?? 0) - (row === 0 ? 0 : (rows[row * 4 - 4 + column] ?? 0)),
            ),
          ]),
        )
        const data = deflateSync(Buffer.concat(filtered)).toString('latin1')
        const parameters = '/DecodeParms <</Predictor 12 /Columns 4>> /Filter /FlateDecode'
        return `5 0 obj\n<</Type /XRef /W [1 2 1] /Size 5 /Root 1 0 R ${parameters} /Length ${data.length}>>\nstream\n${data}\nendstream\nendobj\n`
      },
    })
    expect(inspectPdf(file)).toMatchObject({ ok: true, value: { pages: 1 } })
  })

  test('links, places and names that look like those of actions', () => {
    const page = '/Annots [4 0 R] /Resources <</XObject <</AA 5 0 R>>>>'
    const link = '<</Type /Annot /Subtype /Link /Rect [0 0 9 9] /A <</S /URI /URI (https://example.com)>>>>'
    const form = '<</Type /XObject /Subtype /Form /BBox [0 0 1 1] /Length 0>>\nstream\n\nendstream'
    const file = buildPdf(pageObjects({ catalog: '/OpenAction [3 0 R /Fit]', page, more: [link, form] }))
    expect(refusalOf(file)).toBe('accepted')
  })

  test.each<[what: string, catalog: string, annotation: string]>([
    ['a comment that is printed, and its closed window', '', '/Subtype /Stamp /F 4 /AP <</N 5 0 R>>'],
    ['a window', '', '/Subtype /Popup /Open false'],
    ['a field that is printed', '', '/Subtype /Widget /FT /Tx /V (a) /F 4 /AP <</N 5 0 R>>'],
    ['a check box that is on', '', '/Subtype /Widget /FT /Btn /F 4 /AS /Yes /AP <</N <</Yes 5 0 R>>>>'],
    ['a check box that is off', '', '/Subtype /Widget /FT /Btn /F 4 /AS /Off /AP <</N <</Yes 5 0 R>>>>'],
    ['a field that is hidden on both', '', '/Subtype /Widget /F 2 /AP <</N 5 0 R>>'],
    ['a field that is neither seen nor printed', '', '/Subtype /Widget /F 32 /AP <</N 5 0 R>>'],
    ['an empty field', '', '/Subtype /Widget /FT /Tx /V ()'],
    ['a place to be opened', '/OpenAction <</S /GoTo /D [3 0 R /Fit]>>', '/Subtype /Link'],
    ['an address of e-mail', '', '/Subtype /Link /A <</S /URI /URI (MailTo:a@b.example)>>'],
    ['layers that are on', '/OCProperties <</OCGs [6 0 R] /D <</ON [6 0 R] /OFF [] /AS [<</Event /View>>]>>>>', ''],
    ['no layers', '/OCProperties <</OCGs [] /D <</BaseState /ON>>>>', ''],
  ])('%s', (_, catalog, members) => {
    const form = '<</Type /XObject /Subtype /Form /BBox [0 0 1 1] /Length 0>>\nstream\n\nendstream'
    const group = '<</Type /OCG /Name (a) /Usage <</CreatorInfo <</Creator (b)>> /Print <</PrintState /ON>>>>>>'
    const annotation = members === '' ? 'null' : `<</Type /Annot /Rect [0 0 9 9] ${members}>>`
    const objects = pageObjects({ catalog, page: '/Annots [4 0 R 4 0 R]', more: [annotation, form, group] })
    expect(refusalOf(buildPdf(objects))).toBe('accepted')
  })

  test('an update that replaces a page; the older one does not count', () => {
    const before = text(buildPdf(pageObjects({ page: '/AA <</O <</S /Launch>>>>' })))
    const start = /startxref\n(\d+)/.exec(before)?.[1]
    const object = '3 0 obj\n<</Type /Page /Parent 2 0 R /MediaBox [0 0 10 10]>>\nendobj\n'
    const table = `xref\n3 1\n${String(before.length).padStart(10, '0')} 00000 n \n`
    const trailer = `trailer\n<</Size 4 /Root 1 0 R /Prev ${start}>>\nstartxref\n${before.length + object.length}\n%%EOF\n`
    expect(refusalOf(bytesOf(before))).toBe('action')
    expect(inspectPdf(bytesOf(before + object + table + trailer))).toMatchObject({ value: { width: 10 } })
  })
})

describe('refused', () => {
  test('more than 25 MB', () => {
    const padding = (bytes: number) => {
      const content = '<</Type /Font>>'
      return buildPdf(pageObjects({ more: [content, `(${'x'.repeat(bytes)})`] }))
    }
    const rest = padding(0).length
    // The offsets have more digits in the larger file.
    const fits = padding(25 * 1_048_576 - rest - 7)
    expect([fits.length <= 25 * 1_048_576, refusalOf(fits)]).toEqual([true, 'accepted'])
    expect(refusalOf(padding(25 * 1_048_576 - rest + 1))).toBe('too_large')
  })

  test('a file whose last object number leaves no room', () => {
    expect(refusalOf(buildPdf(pageObjects({ page: '/X 8388607 0 R' })))).toBe('damaged')
  })
})
