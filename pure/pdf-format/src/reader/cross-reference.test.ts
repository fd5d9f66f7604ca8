import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inspectPdf } from '../index.ts'
import { buildPdf, hybridPdf, pageObjects, streamBody } from '../testing/index.ts'
import { PdfDocument } from './document.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const outcomeOf = (file: Uint8Array | string): string => {
  const outcome = inspectPdf(typeof file === 'string' ? Buffer.from(file, 'latin1') : file)
  return outcome.ok ? 'accepted' : outcome.refusal
}
const plain = text(buildPdf(pageObjects()))

describe('the end of the file', () => {
  test.each<[what: string, file: string, outcome: string]>([
    ['other line ends', plain.replace(/startxref\n(\d+)\n%%EOF\n/, 'startxref\r\n$1\r\n%%EOF\r\n \0'), 'accepted'],
    ['no line end', plain.trimEnd(), 'accepted'],
    ['whitespace before the table', plain.replace('xref\n0', '\n\nxref\n0'), 'accepted'],
    ['a kilobyte behind startxref', `${plain}${' '.repeat(1020)}`, 'damaged'],
    ['most of a kilobyte behind startxref', `${plain}${' '.repeat(990)}`, 'accepted'],
    ['two ends, of which the last counts', `${plain}startxref\n0\n%%EOF\n`, 'damaged'],
    ['startxref with eleven digits', plain.replace(/startxref\n\d+/, 'startxref\n00000000009'), 'damaged'],
  ])('%s: %#', (_, file, outcome) => {
    expect(outcomeOf(file)).toBe(outcome)
  })
})

test('startxref is in the last kilobyte', () => {
  const room = 1024 - (plain.length - plain.lastIndexOf('startxref'))
  expect([outcomeOf(plain + ' '.repeat(room)), outcomeOf(plain + ' '.repeat(room + 1))]).toEqual([
    'accepted',
    'damaged',
  ])
})

describe('the table', () => {
  const change = (from: RegExp | string, to: string) => outcomeOf(plain.replace(from, to))
  test.each<[what: string, from: RegExp | string, to: string]>([
    ['a row of another kind', / 00000 n \n/, ' 00000 x \n'],
    ['a row without a generation', / 00000 n \n/, ' (0) n \n'],
    ['a name for a count', 'xref\n0 4', 'xref\n0 /4'],
    ['a negative count', 'xref\n0 4', 'xref\n-1 4'],
    ['an offset of eleven digits', '0000000000 65535', '00000000000 65535'],
    ['no trailer', 'trailer', 'trailing'],
    ['a trailer that is a list', /trailer\n<<.*>>/, 'trailer\n[]'],
    ['no Size', '/Size 4', ''],
    ['a Size that is a name', '/Size 4', '/Size /4'],
    ['a Prev that is a name', '/Size 4', '/Size 4 /Prev /A'],
    ['a Prev outside of the file', '/Size 4', '/Size 4 /Prev 99999'],
    ['an XRefStm that is a name', '/Size 4', '/Size 4 /XRefStm /A'],
    ['an XRefStm outside of the file', '/Size 4', '/Size 4 /XRefStm 99999'],
    ['an XRefStm at something else', '/Size 4', '/Size 4 /XRefStm 15'],
    ['an offset of another generation', / 00000 n \n/, ' 00001 n \n'],
    ['a catalog that is a list', '/Root 1 0 R', '/Root [1]'],
  ])('%s is damaged', (_, from, to) => {
    expect(change(from, to)).toBe('damaged')
  })

  test('the largest Size that readers accept leaves no room, and one more is impossible', () => {
    expect(change('/Size 4', '/Size 8388606')).toBe('accepted')
    expect(change('/Size 4', '/Size 8388608')).toBe('too_complex')
  })

  test('numbers are given in several parts, and a free one is null', () => {
    const rows = /0000000000 65535 f \n/
    const split = plain.replace('xref\n0 4', 'xref\n0 1').replace(rows, '0000000000 65535 f \n1 3\n')
    expect(outcomeOf(split)).toBe('accepted')
    const document = new PdfDocument(Buffer.from(split, 'latin1'))
    expect([document.object(0), document.object(77), document.references.nextNumber]).toEqual([null, null, 4])
    expect(document.references).toMatchObject({ isStream: false, startOffset: plain.indexOf('xref\n0') })
  })

  test('256 sections are read, and not one more', () => {
    const updated = (count: number) => {
      let file = plain
      for (let index = 0; index < count; index += 1) {
        const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]
        file += `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 4 /Root 1 0 R /Prev ${previous}>>\nstartxref\n${file.length}\n%%EOF\n`
      }
      return outcomeOf(file)
    }
    expect([updated(255), updated(256)]).toEqual(['accepted', 'too_complex'])
  })
})

type Row = readonly [type: number, second: number, third: number]

interface StreamWish {
  /** Members of the stream; `W`, `Size` and `Root` unless told. */
  readonly members?: string
  readonly rows?: (offsets: readonly number[]) => readonly Row[]
  readonly widths?: readonly [number, number, number]
  readonly more?: readonly string[]
  readonly encode?: (data: Buffer) => Buffer
}

const usualRows = (offsets: readonly number[]): readonly Row[] => [
  [0, 0, 0],
  ...offsets.map((offset): Row => [1, offset, 0]),
]

/** A file whose cross-references are a stream. */
function streamed({ members, rows = usualRows, widths = [1, 2, 1], more = [], encode }: StreamWish = {}): Buffer {
  const table = (offsets: readonly number[]) => {
    const listed = rows(offsets)
    const data = Buffer.from(
      listed.flatMap((row) => row.flatMap((value, column) => digits(value, widths[column] ?? 0))),
    )
    const own = members ?? `/W [${widths.join(' ')}] /Size ${listed.length} /Root 1 0 R`
    return `9 0 obj\n${streamBody(`/Type /XRef ${own}`, encode?.(data) ?? data)}\nendobj\n`
  }
  return Buffer.from(buildPdf([...pageObjects(), ...more], { table }))
}

function digits(value: number, width: number): readonly number[] {
  return Array.from({ length: width }, (_, index) => Math.floor(value / 256 ** (width - 1 - index)) & 255)
}

describe('a stream of cross-references', () => {
  test.each<[what: string, wish: StreamWish]>([
    ['with one byte, two and one', {}],
    ['with wide numbers', { widths: [2, 6, 3] }],
    [
      'without a type, which is then 1',
      {
        widths: [0, 2, 1],
        rows: (offsets) => usualRows(offsets).slice(1),
        members: '/W [0 2 1] /Index [1 3] /Size 4 /Root 1 0 R',
      },
    ],
    ['without a generation, which is then 0', { widths: [1, 2, 0] }],
    ['with two ranges', { members: '/W [1 2 1] /Index [0 1 1 3] /Size 4 /Root 1 0 R' }],
    ['with a type that is not known, which is free', { rows: (offsets) => [...usualRows(offsets), [7, 1, 1]] }],
    ['that is compressed', { members: '/W [1 2 1] /Size 4 /Root 1 0 R /Filter [/FlateDecode]', encode: deflateSync }],
  ])('%s', (_, wish) => {
    expect(outcomeOf(streamed(wish))).toBe('accepted')
  })

  const members = (more: string, rest = '/Root 1 0 R') => ({ members: `${more} ${rest}` })
  test.each<[what: string, wish: StreamWish, refusal: string]>([
    ['no W', members('/Size 4'), 'damaged'],
    ['two widths', members('/W [1 2] /Size 4'), 'damaged'],
    ['four widths', members('/W [1 2 1 0] /Size 4'), 'damaged'],
    ['a width of seven bytes', { widths: [1, 7, 1] }, 'damaged'],
    ['a width that is a name', members('/W [1 /A 1] /Size 4'), 'damaged'],
    ['half a range', members('/W [1 2 1] /Index [0 4 7] /Size 4'), 'damaged'],
    ['more rows than data', members('/W [1 2 1] /Size 5'), 'damaged'],
    ['rows without bytes', members('/W [0 0 0] /Size 4'), 'damaged'],
    ['no Size', members('/W [1 2 1] /Index [0 4]'), 'damaged'],
    ['Encrypt', members('/W [1 2 1] /Size 4 /Encrypt 3 0 R'), 'encrypted'],
    ['a filter of another kind', members('/W [1 2 1] /Size 4 /Filter /ASCIIHexDecode'), 'damaged'],
    ['a filter that is a number', members('/W [1 2 1] /Size 4 /Filter 7'), 'damaged'],
    ['two filters', members('/W [1 2 1] /Size 4 /Filter [/FlateDecode /FlateDecode]'), 'damaged'],
  ])('%s: %#', (_, wish, outcome) => {
    expect(outcomeOf(streamed(wish))).toBe(outcome)
  })

  test('an object of another type is none', () => {
    expect(outcomeOf(text(streamed()).replace('/Type /XRef', '/Type /XReg'))).toBe('damaged')
  })

  test('250,000 objects are read, and not one more', () => {
    const many = (count: number) =>
      streamed({
        members: `/W [1 2 1] /Index [0 4 10 ${count - 4}] /Size ${count + 10} /Root 1 0 R`,
        encode: (data) => Buffer.concat([data, Buffer.alloc(4 * (count - 4))]),
      })
    expect([outcomeOf(many(250_000)), outcomeOf(many(250_001))]).toEqual(['accepted', 'too_complex'])
  })

  test('its length is written in it: nothing else can be looked up yet', () => {
    const file = text(streamed())
    const at = file.lastIndexOf('/Length ')
    expect(outcomeOf(file.slice(0, at) + file.slice(at).replace(/\/Length \d+/, '/Length 3 0 R'))).toBe('damaged')
  })

  test('the document says that its newest section is one', () => {
    expect(new PdfDocument(streamed()).references.isStream).toBe(true)
  })

  test('a hybrid file of an office suite: what the stream lists counts before an earlier section that leaves it free', () => {
    const hybrid = (more: string, isUpdate: boolean) =>
      outcomeOf(hybridPdf([...pageObjects({ page: '/X 4 0 R' }), more], 4, { isUpdate }))
    expect([hybrid('<</Type /Font>>', true), hybrid('<</S /JavaScript>>', true)]).toEqual(['accepted', 'javascript'])
    expect(hybrid('<</Type /Font>>', false)).toBe('hybrid_references')
  })
})

describe('predictors of PNG', () => {
  const COLUMNS = 4
  /** Each row is written with the given type. */
  const encoded = (type: number) => (data: Buffer) => {
    const rows = Array.from({ length: data.length / COLUMNS }, (_, row) =>
      Buffer.from([
        type,
        ...Array.from({ length: COLUMNS }, (__, column) => {
          const at = row * COLUMNS + column
          const left = column === 0 ? 0 : (data[at - 1] ?? 0)
          const above = row === 0 ? 0 : (data[at - COLUMNS] ?? 0)
          const corner = row === 0 || column === 0 ? 0 : (data[at - COLUMNS - 1] ?? 0)
          return ((data[at] ?? 0) - guess(type, left, above, corner)) & 255
        }),
      ]),
    )
    return deflateSync(Buffer.concat(rows))
  }
  const guess = (type: number, left: number, above: number, corner: number): number => {
    if (type < 3) return [0, left, above][type] ?? 0
    if (type === 3) return (left + above) >> 1
    const estimate = left + above - corner
    // RFC 2083, 6.6: ties go to left, then above.
    return [left, above, corner].toSorted((a, b) => Math.abs(estimate - a) - Math.abs(estimate - b))[0] ?? 0
  }
  // Objects that do not exist give the rows many values.
  const rows = (offsets: readonly number[]): readonly Row[] => [
    ...usualRows(offsets),
    ...Array.from({ length: 60 }, (_, index): Row => [0, (index * index * 977) & 0xffff, (index * 91) & 255]),
  ]
  const file = (type: number, parameters: string) =>
    streamed({
      rows,
      encode: encoded(type),
      members: `/W [1 2 1] /Size 64 /Root 1 0 R /Filter /FlateDecode /DecodeParms ${parameters}`,
    })

  test.each([0, 1, 2, 3, 4])('type %i is undone', (type) => {
    expect(outcomeOf(file(type, '<</Predictor 15 /Columns 4>>'))).toBe('accepted')
    expect(outcomeOf(file(type, '[<</Predictor 10 /Columns 4 /Colors 1 /BitsPerComponent 8>>]'))).toBe('accepted')
  })

  test('every byte of a row is undone, not only those that a file needs', () => {
    const values = Array.from({ length: 64 }, (_, index): Row => [
      2,
      (index * index * 977) & 0xffff,
      (index * 91) & 255,
    ])
    for (const type of [1, 2, 3, 4]) {
      const bytes = streamed({
        rows: (offsets) => [...usualRows(offsets), ...values],
        encode: encoded(type),
        members: '/W [1 2 1] /Size 68 /Root 1 0 R /Filter /FlateDecode /DecodeParms <</Predictor 12 /Columns 4>>',
      })
      const { places } = new PdfDocument(bytes).references
      expect(values.map((_, index) => places.get(index + 4))).toEqual(
        values.map(([, stream, index]) => ({ type: 'stream', stream, index })),
      )
    }
  })

  test.each([
    '<</Predictor 2 /Columns 4>>',
    '<</Predictor 9 /Columns 4>>',
    '<</Predictor 16 /Columns 4>>',
    '<</Predictor /A /Columns 4>>',
    '<</Predictor 12 /Columns 0>>',
    '<</Predictor 12 /Columns 65>>',
    '<</Predictor 12 /Columns 2.5>>',
    '<</Predictor 12 /Columns /A>>',
    '<</Predictor 12 /Columns 4 /Colors 3>>',
    '<</Predictor 12 /Columns 4 /BitsPerComponent 4>>',
  ])('%s is damaged', (parameters) => {
    expect(outcomeOf(file(2, parameters))).toBe('damaged')
  })

  test('a row of type 5 is damaged', () => {
    expect(outcomeOf(file(5, '<</Predictor 12 /Columns 4>>'))).toBe('damaged')
  })

  test('predictor 1 changes nothing', () => {
    const members = '/W [1 2 1] /Size 4 /Root 1 0 R /Filter /FlateDecode /DecodeParms'
    for (const parameters of ['<</Predictor 1 /Columns 4>>', '<<>>', '[]', 'null'])
      expect(outcomeOf(streamed({ encode: deflateSync, members: `${members} ${parameters}` }))).toBe('accepted')
  })
})

describe('objects in a stream', () => {
  /** Object 10 is said to be in object 4. */
  const contained = (body: string) =>
    streamed({
      more: [body],
      rows: (offsets) => [...usualRows(offsets), [2, 4, 0]],
      members: '/W [1 2 1] /Index [0 5 10 1] /Size 11 /Root 1 0 R',
    })
  const container = (members: string, data: string) => contained(streamBody(`/Type /ObjStm ${members}`, data))

  test('are read', () => {
    expect(outcomeOf(container('/N 1 /First 5', '10 0 <<>>'))).toBe('accepted')
    expect(outcomeOf(container('/N 2 /First 11', '10 6 11 0  (aaa) <</S /JavaScript>>'))).toBe('javascript')
  })

  test.each<[what: string, file: Buffer]>([
    ['a container that is no stream', contained('<</Type /ObjStm /N 1 /First 5>>')],
    ['a container of another type', contained(streamBody('/Type /Stm /N 1 /First 5', '10 0 <<>>'))],
    ['no N', container('/First 5', '10 0 <<>>')],
    ['no First', container('/N 1', '10 0 <<>>')],
    ['a negative First', container('/N 1 /First -1', '10 0 <<>>')],
    ['more than 250,000 of them', container('/N 250001 /First 5', '10 0 <<>>')],
    ['a number that is a name', container('/N 1 /First 6', '/10 0 <<>>')],
    ['an offset that is a name', container('/N 1 /First 6', '10 /0 <<>>')],
    ['the same number twice', container('/N 2 /First 10', '10 0 10 0 <<>>')],
    ['another number', container('/N 1 /First 5', '11 0 <<>>')],
    ['fewer than N', container('/N 2 /First 5', '10 0 <<>>')],
  ])('%s: damaged', (_, file) => {
    expect(outcomeOf(file)).toBe('damaged')
  })

  test('a container that is in a container is damaged', () => {
    const file = streamed({
      more: [streamBody('/Type /ObjStm /N 1 /First 5', '10 0 <<>>')],
      rows: (offsets) => [...usualRows(offsets), [2, 4, 0], [2, 10, 0]],
      members: '/W [1 2 1] /Index [0 5 10 2] /Size 12 /Root 1 0 R',
    })
    expect(outcomeOf(file)).toBe('damaged')
  })
})
