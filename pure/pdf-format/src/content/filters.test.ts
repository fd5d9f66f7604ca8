import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { scanTemplate } from '../index.ts'
import { templatePdf, textAt } from '../testing/index.ts'

const CONTENT = textAt(72, 700, '({{client_name}}) Tj')
const hex = Buffer.from(CONTENT).toString('hex')
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** Codes of nine bits, as long as the table is small: clear, one code per byte, end. */
function lzw(content: string): string {
  const codes = [256, ...Array.from(content, (character) => character.charCodeAt(0)), 257]
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('')
  return latin1(Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => parseInt(byte.padEnd(8, '0'), 2)))
}

function ascii85(content: string): string {
  const padded = Buffer.from(content.padEnd(Math.ceil(content.length / 4) * 4, ' '))
  let text = ''
  for (let at = 0; at < padded.length; at += 4) {
    let value = padded.readUInt32BE(at)
    let group = ''
    for (let digit = 0; digit < 5; digit += 1) {
      group = String.fromCharCode(0x21 + (value % 85)) + group
      value = Math.floor(value / 85)
    }
    text += `${group}\n`
  }
  return `${text}~>`
}

test.each([
  ['no filter', '', CONTENT],
  ['Flate', '/Filter /FlateDecode', latin1(deflateSync(CONTENT))],
  ['hexadecimal', '/Filter /ASCIIHexDecode', `${hex.slice(0, 9)}\n${hex.slice(9)}>`],
  ['base 85', '/Filter [/ASCII85Decode]', ascii85(CONTENT)],
  ['LZW', '/Filter /LZWDecode', lzw(CONTENT)],
  ['two filters', '/Filter [/ASCIIHexDecode /FlateDecode]', `${deflateSync(CONTENT).toString('hex')}>`],
])('%s', (_, stream, data) => {
  expect(scanTemplate(templatePdf({ contents: [data], stream }))).toMatchObject({
    value: { keys: ['client_name'], unreadable: [] },
  })
})

test('a content that is a picture is refused', () => {
  expect(scanTemplate(templatePdf({ contents: ['x'], stream: '/Filter /DCTDecode' }))).toEqual({
    ok: false,
    refusal: 'ambiguous_content',
  })
})

test('LZW whose codes stand for longer and longer text', () => {
  // Each code is the one that is being made: one space, two, three …
  const bits: string[] = [(256).toString(2).padStart(9, '0'), (32).toString(2).padStart(9, '0')]
  for (let code = 258; code < 300; code += 1) bits.push(code.toString(2).padStart(9, '0'))
  bits.push(...Array.from(CONTENT, (character) => character.charCodeAt(0).toString(2).padStart(9, '0')))
  bits.push((257).toString(2).padStart(9, '0'))
  const bytes = Uint8Array.from(bits.join('').match(/.{1,8}/g) ?? [], (byte) => parseInt(byte.padEnd(8, '0'), 2))
  expect(scanTemplate(templatePdf({ contents: [latin1(bytes)], stream: '/Filter /LZWDecode' }))).toMatchObject({
    value: { keys: ['client_name'] },
  })
})
