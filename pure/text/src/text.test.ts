import { growthForTenfold } from '@sealpost/testkit/growth'
import { describe, expect, test } from 'vitest'
import { DASH, linkAddress, parseText, printPlain, tagsOf } from './index.ts'

const plain = (source: string, values: Record<string, string> = {}) =>
  printPlain(parseText(source), (tag) => (tag.kind === 'value' ? (values[tag.key] ?? null) : null))

test('HTML tags are removed and nothing else is treated as HTML: text stays text [TEXT-01]', () => {
  expect(plain('<p>Hi <b onclick="x()">you</b><img src=x onerror=alert(1)></p>')).toBe('Hi you')
  expect(parseText('1 < 2 &amp; 3 > 2').nodes).toEqual([{ kind: 'plain', text: '1 < 2 &amp; 3 > 2' }])
  expect(parseText('{{name}}').nodes).toEqual([{ kind: 'value', key: 'name' }])
})

test('[b] is bold and [i] italic, one inside the other, closed at the end at the latest [TEXT-02]', () => {
  expect(parseText('a [b]b [i]c[/i][/b]').nodes).toEqual([
    { kind: 'plain', text: 'a ' },
    {
      kind: 'bold',
      children: [
        { kind: 'plain', text: 'b ' },
        { kind: 'italic', children: [{ kind: 'plain', text: 'c' }] },
      ],
    },
  ])
  expect(parseText('[i]open').nodes).toEqual([{ kind: 'italic', children: [{ kind: 'plain', text: 'open' }] }])
})

describe('a link', () => {
  test.each(['https://x.org', 'mailto:a@x.org', 'tel:+31201234567'])('may lead to %s [TEXT-03]', (address) => {
    expect(parseText(`[a href=${address}]x[/a]`).nodes).toEqual([
      {
        kind: 'link',
        address: [{ kind: 'plain', text: address }],
        rel: 'noopener noreferrer',
        children: [{ kind: 'plain', text: 'x' }],
      },
    ])
  })

  test.each(['http://x.org', 'javascript:alert(1)', ' https://x.org', 'x.org', '', '{{url}}', 'HTTPS://x.org'])(
    'to %j is its label alone, and the address is reported [TEXT-03]',
    (address) => {
      const text = parseText(`[a href=${address}]x[/a]`)
      expect(text.nodes).toEqual([{ kind: 'plain', text: 'x' }])
      expect(text.forbiddenAddresses).toEqual([address])
    },
  )

  test('keeps its scheme and host, whatever the answer', () => {
    const [link] = parseText('[a href=https://x.org{{q}}]x[/a]').nodes
    const address = link?.kind === 'link' ? linkAddress(link, () => '@evil.org/\ud800?a b') : null
    expect(address).toBe('https://x.org%40evil.org%2F%EF%BF%BD%3Fa%20b')
  })
})

test('a backslash makes [, ], { and itself plain, and stays before anything else [TEXT-04]', () => {
  expect(plain(String.raw`\[b] \] \{{a}} \\ \n`)).toBe(String.raw`[b] ] {{a}} \ \n`)
  expect(tagsOf(String.raw`\{{a}} {\{b}} {{c\\}}`)).toEqual([])
})

test('{{slug}} is the answer or constant, and a dash while there is none [TEXT-05]', () => {
  expect(plain('Dear {{ Name }}, {{total}}', { name: 'Ada', total: '12.5' })).toBe('Dear Ada, 12.5')
  expect(plain('Dear {{name}}')).toBe(`Dear ${DASH}`)
  expect(DASH).toBe('\u2013')
})

test('a tag whose first part is a party names a value of that party', () => {
  expect(tagsOf('{{customer.email}} {{cao.scale.id}}', new Set(['customer']))).toEqual([
    { kind: 'party', party: 'customer', field: 'email' },
    { kind: 'value', key: 'cao.scale.id' },
  ])
})

describe('ten times the text takes about ten times as long', () => {
  const pieces = ['[', '{{', '<a', '<', '[a href=', '[a href={{a.b.c', '[b]', '[/i]', '[b][i]', '[b][/i]']
  test.each([...pieces, '{{a', '{{ ', '{{a.', '\\', '\\]', '{{a}}', '[a href=https:]', '>', 'word '])('%j', (piece) => {
    const run = (size: number) => plain(piece.repeat(size / piece.length))
    expect(growthForTenfold(run)).toBeLessThan(25)
  })
})
