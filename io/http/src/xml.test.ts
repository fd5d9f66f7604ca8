import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { readXml, writeXml, XmlError } from './xml.ts'

const content = (value: unknown): string => writeXml(value).replace('<?xml version="1.0" encoding="UTF-8"?>', '')

describe('writeXml', () => {
  test.each([
    [{ a: 1, b: true, c: 'x' }, '<response><a>1</a><b>true</b><c>x</c></response>'],
    [{ a: null, b: '', c: [], d: {} }, '<response><a/><b/><c/><d/></response>'],
    [[1, [2], {}], '<response><item>1</item><item><item>2</item></item><item/></response>'],
    [{ 'conn:1': 'x' }, '<response><member><name>conn:1</name><value>x</value></member></response>'],
    [{ '7f': null }, '<response><member><name>7f</name><value/></member></response>'],
    [{ '': 1 }, '<response><member><name/><value>1</value></member></response>'],
    [{ a: '<&>"\'' }, '<response><a>&lt;&amp;&gt;"\'</a></response>'],
    [{ a: 'x\0\u001f\ufffey' }, '<response><a>x\ufffd\ufffd\ufffdy</a></response>'],
    [{ a: '\ud800x' }, '<response><a>\ufffdx</a></response>'],
    [{ a: '\r\n\t' }, '<response><a>&#13;\n\t</a></response>'],
    [{ a: undefined, b: 1e21 }, '<response><b>1e+21</b></response>'],
    [{ '<a>': ']]>' }, '<response><member><name>&lt;a&gt;</name><value>]]&gt;</value></member></response>'],
    [{ größe: 1 }, '<response><größe>1</größe></response>'],
  ])('%j', (value, xml) => {
    expect(content(value)).toBe(xml)
  })
})

describe('readXml', () => {
  test.each([
    ['<response/>', ''],
    ['\ufeff<?xml version="1.0"?>\n<response>\n  <a> x </a>\n</response>\n', { a: ' x ' }],
    ['<response><item>1</item></response>', ['1']],
    ['<response><a><!-- why -->x<![CDATA[<&]]>&#65;&#x1F600;&quot;&apos;</a></response>', { a: 'x<&A😀"\'' }],
    ['<response><member><name>1:2</name><value><a/></value></member></response>', { '1:2': { a: '' } }],
    ['<response><a>1\r\n2\r3</a></response>', { a: '1\n2\n3' }],
  ])('%j', (text, value) => {
    expect(readXml(text)).toEqual(value)
  })

  test.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '</a>',
    '<a/><b/>',
    '<a x="1"/>',
    '<a>x<b/></a>',
    '<a><b/>x</a>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a>&x;</a>',
    '<a>&#0;</a>',
    '<a>&#xD800;</a>',
    '<a>&#x110000;</a>',
    '<a><?php x ?></a>',
    '<a><![CDATA[x</a>',
    '<a:b/>',
    '<1/>',
    '<a><b>1</b><b>2</b></a>',
  ])('%j is refused', (text) => {
    expect(() => readXml(text)).toThrow(XmlError)
  })

  test('nesting that would overflow a recursion is refused', () => {
    expect(() => readXml('<a>'.repeat(300) + '</a>'.repeat(300))).toThrow(XmlError)
  })

  test('the schema restores types, also for lists of one and for names that are no element names', () => {
    const schema = Type.Object({
      total: Type.Integer(),
      items: Type.Array(Type.Object({ ok: Type.Boolean(), at: Type.Union([Type.String(), Type.Null()]) })),
      values: Type.Record(Type.String(), Type.Number()),
      kind: Type.Union([Type.Literal('a'), Type.Literal(2)]),
    })
    const value = { total: 1, items: [{ ok: true, at: null }], values: { '1:x': 0.5, member: -2 }, kind: 2 }
    expect(readXml(writeXml(value), schema)).toEqual(value)
    expect(() => readXml('<response><total>x</total></response>', schema)).toThrow(XmlError)
  })

  test('a recursive schema is followed', () => {
    const tree = Type.Cyclic({ Node: Type.Object({ n: Type.Integer(), next: Type.Array(Type.Ref('Node')) }) }, 'Node')
    const value = { n: 1, next: [{ n: 2, next: [] }] }
    expect(readXml(writeXml(value), tree)).toEqual(value)
  })

  test('members of Object.prototype are ordinary members', () => {
    const read = readXml('<response><__proto__><x>1</x></__proto__></response>')
    expect(Object.keys(Object(read))).toEqual(['__proto__'])
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })
})

const anyText = fc.string({ unit: 'binary', maxLength: 20 })
// The parser that checks here supports the names of XML's fourth edition only, and none that JavaScript uses itself.
const memberName = fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).filter((name) => !(name in {}))
const jsonValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(memberName, fc.uuid(), fc.constantFrom('name', 'value', 'a', 'a:b', 'xml', '-')),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
  ),
})).value

test('any JSON value is a well-formed document, also for another parser', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      const xml = writeXml(value)
      // oxlint-disable-next-line typescript/no-deprecated -- strict checking moved to a package that only this line would need
      expect(() => new XMLParser().parse(xml, true)).not.toThrow()
    }),
    { numRuns: 500, seed: 1 },
  )
})

const shape = Type.Object({
  text: Type.String(),
  count: Type.Integer(),
  ratio: Type.Number(),
  flag: Type.Boolean(),
  maybe: Type.Union([Type.String(), Type.Null()]),
  list: Type.Array(Type.Object({ id: Type.String(), tags: Type.Array(Type.String()) })),
  values: Type.Record(Type.String(), Type.Union([Type.Object({ v: Type.String() }), Type.Null()])),
  extra: Type.Optional(Type.Enum(['a', 'b'])),
})

test('a response round-trips through XML with its types', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const response = fc.record(
    {
      text,
      count: fc.integer(),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      flag: fc.boolean(),
      maybe: fc.option(text.filter((value) => value !== '')),
      list: fc.array(fc.record({ id: text, tags: fc.array(text, { maxLength: 3 }) }), { maxLength: 3 }),
      values: fc.dictionary(fc.oneof(text, fc.uuid()), fc.option(fc.record({ v: text })), { maxKeys: 4 }),
      extra: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: ['text', 'count', 'ratio', 'flag', 'maybe', 'list', 'values'] },
  )
  fc.assert(
    fc.property(response, (value) => {
      expect(readXml(writeXml(value), shape)).toEqual({ ...value, values: { ...value.values } })
    }),
    { numRuns: 500, seed: 1 },
  )
})
