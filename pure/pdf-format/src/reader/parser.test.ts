import { describe, expect, test } from 'vitest'
import { PDF_LIMITS } from '../limits.ts'
import { Budget } from './budget.ts'
import { bytesOf, latin1 } from './characters.ts'
import { Lexer } from './lexer.ts'
import { dictOf, isArray, isDict, isRef, isStream, kindOf, type PdfObject } from './objects.ts'
import { parseObject } from './parser.ts'

function parse(text: string): PdfObject {
  return parseObject(new Lexer(bytesOf(text), 0, new Budget(text.length)))
}

/** As JSON: names with a slash, strings in brackets, references as in the file. */
function plain(object: PdfObject | undefined): unknown {
  if (isArray(object)) return object.items.map(plain)
  if (isDict(object)) return Object.fromEntries([...object.entries].map(([key, value]) => [key, plain(value)]))
  if (isRef(object)) return `${object.number} ${object.generation} R`
  if (typeof object !== 'object' || object === null) return object
  if (object.kind === 'name') return `/${object.name}`
  return object.kind === 'string' ? `(${latin1(object.bytes)})` : object
}

test.each<[text: string, value: unknown]>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['7', 7],
  ['+7', 7],
  ['-7', -7],
  ['.5', 0.5],
  ['4.', 4],
  ['-0.25', -0.25],
  ['12 0 R', '12 0 R'],
  ['12 3 R', '12 3 R'],
  ['12\n0\r\nR', '12 0 R'],
  ['[12 0 R]', ['12 0 R']],
  ['[12 0]', [12, 0]],
  ['[12 0 7]', [12, 0, 7]],
  ['[12 0 true]', [12, 0, true]],
  ['[1 2 3 0 R 4]', [1, 2, '3 0 R', 4]],
  ['[12 -1]', [12, -1]],
  ['[12 0.5]', [12, 0.5]],
  ['[1%]\n2]', [1, 2]],
  ['[1%]\r2]', [1, 2]],
  ['\0\t\f\r\n [ ]', []],
  ['[[][1][[2]]]', [[], [1], [[2]]]],
  ['/Name', '/Name'],
  ['/A#20b', '/A b'],
  ['/A#2fb#2F', '/A/b/'],
  ['/A#zz', '/A#zz'],
  ['[/A/B(c)/D]', ['/A', '/B', '(c)', '/D']],
  ['/', '/'],
  ['<</A 1/B[2]/C<</D/E>>>>', { A: 1, B: [2], C: { D: '/E' } }],
  ['<</A null>>', { A: null }],
  ['()', '()'],
  ['(a(b)c)', '(a(b)c)'],
  [String.raw`(a\)b\(c\\d)`, String.raw`(a)b(c\d)`],
  [String.raw`(\n\r\t\b\f\q)`, '(\n\r\t\b\fq)'],
  [String.raw`(\101\60\0629\7)`, '(A029\u{7})'],
  [String.raw`(\18\400)`, '(\u{1}8\0)'],
  ['(a\\\nb\\\r\nc\\\rd)', '(abcd)'],
  ['<48 65\n6C6c6F>', '(Hello)'],
  ['<484>', '(H@)'],
  ['<>', '()'],
  ['<fFaA09>', '(\u{ff}\u{aa}\t)'],
])('%j is read', (text, value) => {
  expect(plain(parse(text))).toEqual(value)
})

test.each([
  '',
  '%only a comment',
  ']',
  '>>',
  '>',
  '}',
  ')',
  'nul',
  'True',
  '1e5',
  '--1',
  '1.2.3',
  '.',
  '+',
  '[1',
  '<</A 1',
  '<</A',
  '<<1 2>>',
  '<<(A) 2>>',
  '<</A 1/A 1>>',
  '<</A 1/#41 1>>',
  '(a',
  String.raw`(a\)`,
  '<48',
  '<4x>',
  '[12 0 Rx]',
])('%j is damaged', (text) => {
  expect(() => parse(text)).toThrow('damaged')
})

describe('limits', () => {
  test.each<[what: string, text: (size: number) => string, most: number]>([
    ['a name', (size) => `/${'n'.repeat(size)}`, 1024],
    ['a word', (size) => '1'.repeat(size), 64],
    ['arrays in each other', (size) => `${'['.repeat(size)}1${']'.repeat(size)}`, PDF_LIMITS.nesting],
    ['dictionaries in each other', (size) => `${'<</A '.repeat(size)}1${'>>'.repeat(size)}`, PDF_LIMITS.nesting],
  ])('%s', (_, text, most) => {
    expect(() => parse(text(most))).not.toThrow()
    expect(() => parse(text(most + 1))).toThrow('damaged')
  })

  test('an object number has at most ten digits', () => {
    expect(plain(parse('[1234567890 0 R]'))).toEqual(['1234567890 0 R'])
    expect(() => parse('[12345678901 0 R]')).toThrow('damaged')
  })
})

test('a lexer stops behind what it has read', () => {
  const lexer = new Lexer(bytesOf('(a)<41>/B 1 0 R 2 true[3]'), 0, new Budget(100))
  expect(Array.from({ length: 7 }, () => plain(parseObject(lexer)))).toEqual([
    '(a)',
    '(A)',
    '/B',
    '1 0 R',
    2,
    true,
    [3],
  ])
  expect(lexer.next()).toEqual({ type: 'end' })
})

test('only a dictionary and a stream have a dictionary', () => {
  const dict = parse('<</A 1>>')
  const stream: PdfObject = isDict(dict) ? { kind: 'stream', dict, raw: new Uint8Array() } : null
  expect([dict, stream, parse('[1]'), null, 7].map((object) => dictOf(object))).toEqual([dict, dict, null, null, null])
  expect([stream, dict, undefined, true].map((object) => [kindOf(object), isStream(object)])).toEqual([
    ['stream', true],
    ['dict', false],
    [null, false],
    [null, false],
  ])
})
