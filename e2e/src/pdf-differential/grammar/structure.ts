import { buildPdf, hybridPdf } from '@sealpost/pdf-format/testing'
import type { Chance } from '../chance.ts'
import type { Kind } from './kind.ts'
import { bodiesOf, FIRST, stream } from './sheet.ts'
import { drawSum, HIGH, LOW } from './sums.ts'

const bodies = (more: readonly string[] = []): readonly string[] =>
  bodiesOf({ content: drawSum(LOW), more }).filter((body) => body !== null)
const HIGH_CONTENT = stream(drawSum(HIGH))

/** Tables, updates and numbers of objects. */
export const structureKinds: readonly Kind[] = [
  {
    name: 'a hybrid file',
    make: (chance) => hybridPdf(bodies(), chance.pick([4, 5]), { isUpdate: chance.below(2) === 1 }),
  },
  {
    name: 'an update that replaces or frees the content',
    make: (chance) =>
      updated(buildPdf(bodies()), `4 ${chance.pick(['0', '1', '65535'])} obj\n${HIGH_CONTENT}\nendobj\n`, (offset) =>
        chance.pick([row(4, offset, 0, 'n'), row(4, offset, 1, 'n'), row(4, 0, 1, 'f'), row(4, offset, 0, 'f')]),
      ),
  },
  {
    name: 'an object twice in one table',
    make: (chance) =>
      updated(buildPdf(bodies()), `4 0 obj\n${HIGH_CONTENT}\nendobj\n`, (offset, before) =>
        chance.pick([
          `${row(4, offset, 0, 'n')}${row(4, before, 0, 'n')}`,
          `${row(4, before, 0, 'n')}${row(4, offset, 0, 'n')}`,
        ]),
      ),
  },
  {
    name: 'a trailer with another root or size',
    make: (chance) =>
      updated(
        buildPdf(bodies()),
        `10 0 obj\n${HIGH_CONTENT}\nendobj\n`,
        (offset) => row(10, offset, 0, 'n'),
        chance.pick([
          '/Root 1 0 R /Size 4',
          '/Root 1 0 R /Size 3',
          '/Root 10 0 R /Size 11',
          '/Size 11',
          '/Root 1 1 R /Size 11',
        ]),
      ),
  },
  {
    name: 'a reference of another generation or kind',
    make(chance) {
      const odd = chance.pick([
        `${FIRST} 1 R`,
        `${FIRST} 0 R`,
        `0${FIRST} 00 R`,
        `+${FIRST} 0 R`,
        `${FIRST}.0 0 R`,
        `-${FIRST} 0 R`,
      ])
      const all = bodies([HIGH_CONTENT]).map((body, index) => (index === 2 ? body.replace('4 0 R', odd) : body))
      return buildPdf(all)
    },
  },
  {
    name: 'a key that is written twice',
    make(chance) {
      const twice = chance.pick([
        '/Contents 6 0 R',
        '/C#6fntents 6 0 R',
        '/Contents#00 6 0 R',
        '/contents 6 0 R',
        '/Contents null',
      ])
      const all = bodies([HIGH_CONTENT]).map((body, index) =>
        index === 2 ? body.replace('/Contents', `${twice} /Contents`) : body,
      )
      return buildPdf(all)
    },
  },
  {
    name: 'a length that ends elsewhere',
    make(chance) {
      const low = drawSum(LOW)
      const data = `${low}\nendstream\nendobj\n${chance.pick(['4 0 obj', '7 0 obj', ''])}\n${HIGH_CONTENT}`
      const length = chance.pick([
        String(low.length),
        String(data.length),
        '6 0 R',
        '0',
        '-1',
        '99999',
        `${low.length}.0`,
      ])
      const all = bodies(['1000']).map((body, index) =>
        index === 3 ? `<</Length ${length}>>\nstream\n${data}\nendstream` : body,
      )
      return buildPdf(all)
    },
  },
  {
    name: 'the word stream followed by other ends of lines',
    make(chance) {
      const end = chance.pick(['\r', '\r\n', '\n', ' \n', '\n\n', ''])
      const low = drawSum(LOW)
      const all = bodies().map((body, index) =>
        index === 3 ? `<</Length ${low.length}>>\nstream${end}${low}${chance.pick(['\n', '', '\r'])}endstream` : body,
      )
      return buildPdf(all)
    },
  },
  {
    name: 'a table that begins or ends elsewhere',
    make(chance) {
      const text = Buffer.from(buildPdf(bodies())).toString('latin1')
      const [from, to] = chance.pick([
        ['startxref\n', 'startxref\r'],
        ['xref\n0 6', 'xref\n0 5'],
        ['xref\n0 6', 'xref\n1 6'],
        ['xref\n0 6', 'xref 0 6'],
        ['0000000000 65535 f', '0000000015 00000 n'],
        ['%PDF-1.7', '%PDF-2.0'],
        ['%PDF-1.7', '%PDF-1.0'],
        ['%%EOF\n', '%%EOF\n%%EOF\n'],
        ['trailer\n', 'trailer '],
      ] as const)
      return Buffer.from(text.replace(from, to), 'latin1')
    },
  },
  {
    name: 'objects in a stream of objects, at other places than it says',
    make: (chance) => withObjectStream(chance),
  },
]

const row = (number: number, offset: number, generation: number, kind: 'n' | 'f'): string =>
  `${number} 1\n${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} ${kind} \n`

/** One more section behind a file. */
function updated(
  bytes: Uint8Array,
  object: string,
  rows: (offset: number, before: number) => string,
  trailer = '/Root 1 0 R /Size 11',
): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  const before = /startxref\n(\d+)/.exec(text)?.[1] ?? '0'
  const offset = text.length
  const start = offset + object.length
  const table = `xref\n${rows(offset, text.indexOf('\n4 0 obj') + 1)}trailer\n<<${trailer} /Prev ${before}>>\n`
  return Buffer.from(`${text}${object}${table}startxref\n${start}\n%%EOF\n`, 'latin1')
}

const entry = (type: number, field: number, last: number): string =>
  String.fromCharCode(type, (field >> 8) & 255, field & 255, last)

/** The page is object 3 of the stream; a second page of the same number follows. */
function withObjectStream(chance: Chance): Uint8Array {
  const [catalog = '', tree = '', page = '', content = '', font = ''] = bodies()
  const other = page.replace('4 0 R', '7 0 R')
  const [second, index] = chance.pick([
    [3, 0],
    [3, 1],
    [8, 0],
    [8, 1],
  ] as const)
  const head = `3 0 ${second} ${page.length + 1} `
  const data = `${head}${page} ${other}`
  const container = stream(data, `/Type /ObjStm /N 2 /First ${head.length}`)
  return buildPdf([catalog, tree, null, content, font, container, HIGH_CONTENT], {
    table: (offsets) => {
      const rows = offsets.map((offset, at) => (at === 2 ? entry(2, 6, index) : entry(1, offset, 0)))
      const members = `/Type /XRef /W [1 2 1] /Index [1 ${rows.length}] /Size 10 /Root 1 0 R`
      return `9 0 obj\n${stream(rows.join(''), members)}\nendobj\n`
    },
  })
}
