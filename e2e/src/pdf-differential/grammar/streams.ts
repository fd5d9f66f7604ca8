import { deflateSync } from 'node:zlib'
import type { Kind } from './kind.ts'
import { FIRST, sheetPdf } from './sheet.ts'
import { COVER, drawSum, HIGH, LOW } from './sums.ts'

/** The page draws the low sum, then the stream; what a reader takes out of it depends on the filters. */
const filtered = (data: string, members: string): Uint8Array =>
  sheetPdf({
    content: drawSum(LOW),
    page: `/Contents [4 0 R ${FIRST} 0 R]`,
    more: [`<<${members} /Length ${data.length}>>\nstream\n${data}\nendstream`],
  })

const HIGH_TEXT = `${COVER} ${drawSum(HIGH)} `
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const packed = (text: string): string => latin1(deflateSync(Buffer.from(text, 'latin1')))
const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex')

/** Filters and their parameters. */
export const streamKinds: readonly Kind[] = [
  {
    name: 'compressed data with a wrong end',
    make(chance) {
      const whole = packed(HIGH_TEXT)
      const cut = chance.pick([0, 1, 2, 4, 6, 20])
      const tail = chance.pick(['', '\n', '\u{0}\u{0}', 'x'.repeat(20), packed('0 0 240 160 re f')])
      return filtered(whole.slice(0, whole.length - cut) + tail, '/Filter /FlateDecode')
    },
  },
  {
    name: 'compressed data that is damaged in the middle',
    make(chance) {
      const whole = packed(`${HIGH_TEXT}${' 0 0 m'.repeat(100)}`)
      const at = 2 + chance.below(whole.length - 2)
      const other = String.fromCharCode((whole.codePointAt(at) ?? 0) ^ (1 + chance.below(255)))
      return filtered(whole.slice(0, at) + other + whole.slice(at + 1), '/Filter /FlateDecode')
    },
  },
  {
    name: 'hexadecimal data with other characters',
    make: (chance) =>
      filtered(
        hex(HIGH_TEXT) + chance.pick(['>', '', '2>', '>31', '\u{0}>', 'x>', '2 0>']),
        `/Filter ${chance.pick(['/ASCIIHexDecode', '[/ASCIIHexDecode]', '/AHx', '/ASCII#48exDecode'])}`,
      ),
  },
  {
    name: 'filters that are unknown, empty or written in other ways',
    make: (chance) =>
      filtered(
        chance.pick([HIGH_TEXT, packed(HIGH_TEXT)]),
        chance.pick([
          '/Filter []',
          '/Filter null',
          '/Filter /Fl',
          '/Filter [/FlateDecode null]',
          '/Filter /Unknown',
          '/Filter [/Crypt]',
          '/Filter [/Crypt /FlateDecode] /DecodeParms [<</Name /Identity>> null]',
          '/F /FlateDecode',
          '/Filter (FlateDecode)',
          '/Filter <</A /FlateDecode>>',
        ]),
      ),
  },
  {
    name: 'predictors',
    make: (chance) =>
      filtered(
        packed(chance.pick([HIGH_TEXT, rowsOf(HIGH_TEXT, 10)])),
        `/Filter /FlateDecode /DecodeParms <</Predictor ${chance.pick(['1', '2', '10', '12', '15', '9', '-1'])} /Columns ${chance.pick(['10', '1', '0', '11'])}>>`,
      ),
  },
  {
    name: 'parameters of another length or place',
    make: (chance) =>
      filtered(
        packed(HIGH_TEXT),
        `/Filter [/FlateDecode] ${chance.pick([
          '/DecodeParms null',
          '/DecodeParms []',
          '/DecodeParms [null null]',
          '/DecodeParms [<</Predictor 12 /Columns 4>>]',
          '/DP <</Predictor 12 /Columns 4>>',
          '/DecodeParms <<>>',
          '/DL 10',
          '/FFilter /ASCIIHexDecode',
        ])}`,
      ),
  },
  {
    name: 'runs and texts of 85',
    make: (chance) =>
      filtered(
        chance.pick([runs(HIGH_TEXT), runs(HIGH_TEXT).slice(0, -1), `${runs(HIGH_TEXT)}abc`]),
        '/Filter /RunLengthDecode',
      ),
  },
  {
    name: 'compressed with LZW',
    make: (chance) =>
      filtered(
        lzwOf(HIGH_TEXT),
        `/Filter /LZWDecode ${chance.pick(['', '/DecodeParms <</EarlyChange 0>>', '/DecodeParms <</EarlyChange 2>>'])}`,
      ),
  },
]

/** Rows with their predictor, none. */
function rowsOf(text: string, columns: number): string {
  const rows = text.match(new RegExp(`[^]{1,${columns}}`, 'g')) ?? []
  return rows.map((row) => `\u{0}${row.padEnd(columns)}`).join('')
}

function runs(text: string): string {
  const parts = text.match(/[^]{1,100}/g) ?? []
  return `${parts.map((part) => String.fromCharCode(part.length - 1) + part).join('')}\u{80}`
}

/** Nine bits for each character, with a clear code before the codes get longer. */
function lzwOf(text: string): string {
  const codes = [
    256,
    ...Array.from(text).flatMap((letter, at) => [...(at % 200 === 199 ? [256] : []), letter.codePointAt(0) ?? 0]),
    257,
  ]
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('')
  const bytes = bits.match(/.{1,8}/g) ?? []
  return bytes.map((byte) => String.fromCharCode(Number.parseInt(byte.padEnd(8, '0'), 2))).join('')
}
