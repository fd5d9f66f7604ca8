import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inspectPdf, openPdf } from '../index.ts'
import { buildPdf, pageObjects, streamBody } from '../testing/index.ts'

function outcomeOf(bytes: Uint8Array): string {
  const outcome = inspectPdf(bytes)
  return outcome.ok ? 'accepted' : outcome.refusal
}
const withObjects = (...more: readonly string[]) => outcomeOf(buildPdf(pageObjects({ more })))
const withCatalog = (catalog: string, ...more: readonly string[]) => outcomeOf(buildPdf(pageObjects({ catalog, more })))

describe('what a dictionary must not have', () => {
  const refusals = {
    javascript: ['/JS (1)', '/JavaScript <</A 1>>', '/S /JavaScript'],
    action: ['/AA <</O 1>>'].concat(
      [
        'Launch',
        'SubmitForm',
        'ImportData',
        'ResetForm',
        'Hide',
        'SetOCGState',
        'GoToR',
        'GoToE',
        'Thread',
        'Trans',
      ].map((name) => `/S /${name}`),
    ),
    multimedia: ['/RichMediaContent <</A 1>>'].concat(
      ['Sound', 'Movie', 'Rendition', 'GoTo3DView', 'RichMediaExecute'].map((name) => `/S /${name}`),
      ['Sound', 'Movie', 'Screen', 'RichMedia', '3D'].map((name) => `/Subtype /${name}`),
    ),
    xfa: ['/XFA [(a) 1]'],
    attachment: [
      '/EF <</F 1>>',
      '/EmbeddedFiles <</A 1>>',
      '/AF [1]',
      '/Collection <</A 1>>',
      '/Subtype /FileAttachment',
    ],
    signed: ['/ByteRange [0 1]', '/DocMDP <</A 1>>', '/Type /Sig', '/Type /DocTimeStamp'],
  }
  const cases = Object.entries(refusals).flatMap(([refusal, members]) => members.map((member) => [member, refusal]))

  test.each(cases)('%s: %s', (member, refusal) => {
    expect(withObjects(`<<${member}>>`)).toBe(refusal)
    // Wherever it is.
    expect(withObjects(`[1 [<</A <<${member}>>>>]]`)).toBe(refusal)
    expect(withObjects(streamBody(`/A <<${member}>>`, ''))).toBe(refusal)
  })

  test.each(['/JS null', '/AA <<>>', '/AF []', '/XFA []', '/EmbeddedFiles <<>>', '/JS 9 0 R'])(
    '%s is empty',
    (member) => {
      expect(withObjects(`<<${member}>>`)).toBe('accepted')
    },
  )

  test.each([
    '/S /URI',
    '/S /GoTo',
    '/S /Named',
    '/Subtype /Link',
    '/Subtype /Text',
    '/Type /Annot',
    '/S (JavaScript)',
    '/Ref 7',
  ])('%s is allowed', (member) => {
    expect(withObjects(`<<${member}>>`)).toBe('accepted')
  })

  test('a number or a text counts as content', () => {
    expect([withObjects('<</JS 1>>'), withObjects('<</AA (x)>>')]).toEqual(['javascript', 'action'])
  })

  test('a script or a form may be a stream; a picture under the name of an action is none', () => {
    const stream = streamBody('', 'x')
    expect(withObjects('<</JS 5 0 R>>', stream)).toBe('javascript')
    expect(withObjects('<</XFA 5 0 R>>', stream)).toBe('xfa')
    expect(withObjects('<</AA 5 0 R>>', stream)).toBe('accepted')
  })

  test('a stream may have the type of a signature, but no data and no page of another file', () => {
    expect(withObjects(streamBody('/Type /Sig', ''))).toBe('accepted')
    expect(withObjects(streamBody('/F (a)', ''))).toBe('external_content')
    expect(withObjects(streamBody('/Ref <</F (a)>>', ''))).toBe('external_content')
    expect(withObjects('<</F (a)>>')).toBe('accepted')
  })
})

describe('the catalog', () => {
  test.each<[members: string, outcome: string]>([
    ['/NeedsRendering true', 'xfa'],
    ['/NeedsRendering false', 'accepted'],
    ['/DSS <<>>', 'signed'],
    ['/AcroForm 7', 'accepted'],
    ['/AcroForm <</Fields [4 0 R] /NeedAppearances true>>', 'form_without_appearance'],
    ['/AcroForm <</Fields [4 0 R] /NeedAppearances false>>', 'accepted'],
    ['/AcroForm <</Fields [] /NeedAppearances true>>', 'accepted'],
    ['/AcroForm <</NeedAppearances true>>', 'accepted'],
    ['/AcroForm <</SigFlags 0>>', 'accepted'],
    ['/AcroForm <</SigFlags 1>>', 'signed'],
    ['/AcroForm <</SigFlags 2>>', 'signed'],
    ['/AcroForm <</SigFlags 4>>', 'accepted'],
    ['/AcroForm <</SigFlags /A>>', 'accepted'],
  ])('%s: %s', (members, outcome) => {
    expect(withCatalog(members, '<</FT /Tx>>')).toBe(outcome)
  })
})

describe('streams', () => {
  const stream = (head: string, tail: string) => withObjects(`<</Length 3>>${head}abc${tail}`)
  test.each<[what: string, head: string, tail: string, outcome: string]>([
    ['LF', '\nstream\n', '\nendstream', 'accepted'],
    ['CR LF', '\nstream\r\n', '\r\nendstream', 'accepted'],
    ['nothing before the end', '\nstream\n', 'endstream', 'accepted'],
    ['CR alone', '\nstream\r', '\nendstream', 'damaged'],
    ['CR and another byte', '\nstream\rx', '\nendstream', 'damaged'],
    ['a space', '\nstream ', '\nendstream', 'damaged'],
    ['three line ends before the end', '\nstream\n', '\n\n\nendstream', 'damaged'],
    ['data before the end', '\nstream\n', 'xendstream', 'damaged'],
    ['no end of the object', '\nstream\n', '\nendstream (x)', 'damaged'],
    ['another word', '\nstreams\n', '\nendstream', 'damaged'],
  ])('with %s: %s', (_, head, tail, outcome) => {
    expect(stream(head, tail)).toBe(outcome)
  })

  test('data begins right after the line end: its length shows it', () => {
    const opened = openPdf(buildPdf(pageObjects({ more: ['<</Length 3>>\nstream\r\nabc\nendstream'] })))
    const object = opened.ok ? opened.value.document.object(4) : null
    expect(object).toMatchObject({ kind: 'stream', raw: new Uint8Array([0x61, 0x62, 0x63]) })
  })

  test('a length may be an object of its own', () => {
    expect(withObjects('<</Length 5 0 R>>\nstream\nabc\nendstream', '3')).toBe('accepted')
    expect(withObjects('<</Length 5 0 R>>\nstream\nabc\nendstream', '/A')).toBe('damaged')
    expect(withObjects('<</Length 5 1 R>>\nstream\nabc\nendstream', '3')).toBe('damaged')
    expect(withObjects('<</Length -3>>\nstream\nabc\nendstream')).toBe('damaged')
    expect(withObjects('[1]\nstream\nabc\nendstream')).toBe('damaged')
    expect(withObjects('[1] (x)')).toBe('damaged')
  })

  test('compressed data must be readable as far as Flate goes; pictures are not measured', () => {
    const noise = 'noise'
    const good = deflateSync('text')
    expect(withObjects(streamBody('/Filter /FlateDecode', noise))).toBe('damaged')
    expect(withObjects(streamBody('/Filter /Fl', noise))).toBe('damaged')
    expect(withObjects(streamBody('/Filter [/FlateDecode /FlateDecode]', good))).toBe('damaged')
    expect(withObjects(streamBody('/Filter [/FlateDecode /FlateDecode]', deflateSync(good)))).toBe('accepted')
    expect(withObjects(streamBody('/Filter [/ASCIIHexDecode /FlateDecode]', noise))).toBe('accepted')
    expect(withObjects(streamBody('/Filter 5 0 R', noise), '/FlateDecode')).toBe('damaged')
    expect(withObjects(streamBody('/Filter [5 0 R]', noise), '/FlateDecode')).toBe('damaged')
    expect(withObjects(streamBody('/Filter 7', noise))).toBe('damaged')
    const image = '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'
    expect(withObjects(streamBody(`${image} /Filter /FlateDecode`, noise))).toBe('accepted')
    expect(withObjects(streamBody('/Subtype /Form /BBox [0 0 1 1] /Filter /FlateDecode', noise))).toBe('damaged')
    const four = `/Filter [${'/DCTDecode '.repeat(4)}]`
    expect([withObjects(streamBody(four, '')), withObjects(streamBody(four.replace(']', '/A]'), ''))]).toEqual([
      'accepted',
      'too_complex',
    ])
  })
})

describe('references', () => {
  test('to nothing are null, and to another generation are refused', () => {
    expect(withObjects('<</JS 9 0 R>>', '(1)')).toBe('accepted')
    expect(withObjects('<</JS 5 1 R>>', '(1)')).toBe('missing_object')
    expect(withObjects('<</JS 5 0 R>>', '(1)')).toBe('javascript')
  })

  test('to an object whose number stands in the bytes, in a stream or in a string, are refused', () => {
    const near = (text: string) => withObjects('<</A 9 0 R>>', `(${text})`)
    expect(['9 0 obj', '\n09 \t1\r\nobj', '19 0 obj', '9 0 job', '9obj', 'x 0 obj'].map(near)).toEqual([
      'missing_object',
      'missing_object',
      'accepted',
      'accepted',
      'accepted',
      'accepted',
    ])
  })

  test('an added object gets a number above all that are used or referred to', () => {
    const next = (page: string) => {
      const opened = openPdf(buildPdf(pageObjects({ page })))
      return opened.ok ? opened.value.nextNumber : opened.refusal
    }
    expect([next(''), next('/X 40 0 R'), next('/X [1 <</Y 50 0 R>>]')]).toEqual([4, 41, 51])
    expect([next('/X 8388606 0 R'), next('/X 8388607 0 R')]).toEqual([8_388_607, 'damaged'])
  })
})

describe('updates', () => {
  const rowOf = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n \n`
  /** Replaces or adds objects, as an editor does that saves only its changes. */
  const updated = (file: string, objects: Readonly<Record<number, string>>): string => {
    const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]
    let body = file
    let rows = ''
    for (const [number, object] of Object.entries(objects)) {
      rows += `${number} 1\n${rowOf(body.length)}`
      body += `${number} 0 obj\n${object}\nendobj\n`
    }
    return `${body}xref\n${rows}trailer\n<</Size 9 /Root 1 0 R /Prev ${previous}>>\nstartxref\n${body.length}\n%%EOF\n`
  }
  const stream = (length: string, data: string) => `<</Length ${length}>>\nstream\n${data}\nendstream`
  const first = Buffer.from(buildPdf(pageObjects({ more: [stream('5 0 R', 'abc'), '3'] }))).toString('latin1')
  const outcome = (file: string) => outcomeOf(Buffer.from(file, 'latin1'))

  test('the objects that an update replaces are listed by the section before it', () => {
    expect(outcome(updated(first, { 4: '<<>>', 6: '[1]' }))).toBe('accepted')
  })

  test('a length of a former revision counts for the streams of this revision', () => {
    const second = updated(first, { 4: stream('5 0 R', 'abcdef'), 5: '6' })
    expect(outcome(second)).toBe('accepted')
    expect(outcome(updated(second, { 4: '<<>>', 5: 'null' }))).toBe('accepted')
    // Another number than the section says.
    expect(outcome(updated(first.replace('4 0 obj', '7 0 obj'), { 4: '<<>>' }))).toBe('damaged')
  })

  test('objects do not share bytes', () => {
    const other = updated(first, { 4: '[5]' })
    const offset = other.lastIndexOf('4 0 obj')
    expect(outcome(other.replace('[5]', '(9 0 obj 1 endobj)'))).toBe('damaged')
    expect(outcome(other.replace(rowOf(offset), rowOf(offset) + `8 1\n${rowOf(offset + 2)}`))).toBe('damaged')
  })
})

describe('pages', () => {
  const page = (members: string) => {
    const outcome = inspectPdf(
      buildPdf([
        '<</Type /Catalog /Pages 2 0 R>>',
        '<</Type /Pages /Kids [3 0 R] /Count 1>>',
        `<</Type /Page /Parent 2 0 R ${members}>>`,
        '100',
      ]),
    )
    return outcome.ok ? `${outcome.value.width} x ${outcome.value.height}` : outcome.refusal
  }
  test.each<[members: string, size: string]>([
    ['/MediaBox [0 0 100 200]', '100 x 200'],
    ['/MediaBox [100 200 0 0]', '100 x 200'],
    ['/MediaBox [-50 -20 50 20]', '100 x 40'],
    ['/MediaBox [0 0 4 0 R 200]', '100 x 200'],
    ['/MediaBox [0 0 100 200] /Rotate 90', '200 x 100'],
    ['/MediaBox [0 0 100 200] /Rotate 180', '100 x 200'],
    ['/MediaBox [0 0 100 200] /Rotate -90', '200 x 100'],
    ['/MediaBox [0 0 100 200] /Rotate /A', 'page_size_invalid'],
    ['/MediaBox [0 0 100 200] /CropBox null', 'page_size_invalid'],
    ['/MediaBox [0 0 100 200] /UserUnit 1', '100 x 200'],
    ['/MediaBox [0 0 100 200] /UserUnit 2', 'page_size_invalid'],
    ['/MediaBox [0 0 100 200] /CropBox [50 0 150 200]', 'page_size_invalid'],
    ['/MediaBox [0 0 100 200] /UserUnit 0', 'page_size_invalid'],
    ['/MediaBox [0 0 100 200] /UserUnit /A', 'page_size_invalid'],
    ['/MediaBox [0 0 14400 14400]', '14400 x 14400'],
    ['/MediaBox [0 0 14401 10]', 'page_size_invalid'],
    ['/MediaBox [0 0 10 14401]', 'page_size_invalid'],
    ['/MediaBox [0 0 10 10] /CropBox [0 0 10 0]', 'page_size_invalid'],
    ['/MediaBox [0 0 10 0]', 'page_size_invalid'],
    ['/MediaBox [/A 0 10 10]', 'page_size_invalid'],
    ['/MediaBox [0 /A 10 10]', 'page_size_invalid'],
    ['/MediaBox [0 0 /A 10]', 'page_size_invalid'],
    ['/MediaBox [0 0 10 /A]', 'page_size_invalid'],
    ['/MediaBox [0 0 10 10 10]', 'page_size_invalid'],
    ['/MediaBox [0 0 10 10] /Kids []', 'page_tree_invalid'],
  ])('%s: %s', (members, size) => {
    expect(page(members)).toBe(size)
  })

  test('levels of the tree', () => {
    const levels = (count: number) =>
      outcomeOf(
        buildPdf([
          '<</Type /Catalog /Pages 2 0 R>>',
          ...Array.from({ length: count }, (_, level) => `<</Type /Pages /Kids [${level + 3} 0 R] /Count 1>>`),
          '<</Type /Page /MediaBox [0 0 9 9]>>',
        ]),
      )
    expect([levels(64), levels(65)]).toEqual(['accepted', 'page_tree_invalid'])
  })

  test.each([
    '<</Type /Pages /Count 1>>',
    '<</Type /Pages /Kids [3 0 R]>>',
    '<</Type /Page2>>',
    '[1]',
    '<</Kids [3 0 R] /Count 1>>',
  ])('a tree that is %s', (tree) => {
    expect(outcomeOf(buildPdf(['<</Type /Catalog /Pages 2 0 R>>', tree, '<</Type /Page /MediaBox [0 0 9 9]>>']))).toBe(
      'page_tree_invalid',
    )
  })

  test('the catalog refers to the tree', () => {
    expect(outcomeOf(buildPdf(['<</Type /Catalog /Pages <</Type /Pages /Kids [] /Count 0>>>>']))).toBe(
      'page_tree_invalid',
    )
  })

  test('the size of the first page counts, and every page is checked', () => {
    const pages = (first: string, second: string) =>
      inspectPdf(
        buildPdf([
          '<</Type /Catalog /Pages 2 0 R>>',
          '<</Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 9 9]>>',
          `<</Type /Page ${first}>>`,
          `<</Type /Page ${second}>>`,
        ]),
      )
    expect(pages('/MediaBox [0 0 5 6]', '')).toEqual({ ok: true, value: { pages: 2, width: 5, height: 6 } })
    expect(pages('', '/MediaBox [0 0 5 0]')).toEqual({ ok: false, refusal: 'page_size_invalid' })
  })
})
