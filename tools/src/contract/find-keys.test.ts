import { expect, test } from 'vitest'
import { findKeys } from './find-keys.ts'

test.each([
  ["throw refuse('a.b')", true],
  ['throw refuse(\n  "a.b",\n  { x: 1 },\n)', true],
  ['throw refuse(`a.b`)', true],
  ["throw refuse(/* why */ 'a.b')", true],
  ["new ApiError('a.b', {}, {})", true],
  ["reply.send({ error, error_key: 'a.b' })", true],
  ["return decline({ key: 'a.b' })", false],
  ["refuse(isLate ? 'a.b' : other)", false],
])('%j can answer with the key', (source, isThrow) => {
  expect(findKeys(source, 'x.ts')).toMatchObject([{ key: 'a.b', isThrow }])
})

test.each([
  "// refuse('a.b')",
  "/* refuse('a.b') */",
  "/** Throws `refuse('a.b')` */ const x = 1",
  'const text = "refuse(\'a.b\')"',
  "const text = `refuse('a.b')`",
  "const pattern = /refuse('a.b')/",
  "if (error.key === 'a.b') retry()",
  "if ('a.b' !== error.key) retry()",
  "switch (key) { case 'a.b': break }",
  "import { a } from './a.b.ts'",
  'const name = a.b',
])('%j throws nothing', (source) => {
  expect(findKeys(source, 'x.ts')).toEqual([])
})

test('a literal inside a template and after a division is found', () => {
  expect(findKeys("const a = `${fail('a.b')}`; const c = 1 / 2; throw refuse('c.d') // 'e.f'", 'x.ts')).toMatchObject([
    { key: 'a.b' },
    { key: 'c.d' },
  ])
})

test('line numbers include comments, templates and both kinds of line ends', () => {
  const source = "/*\n\n*/\r\nconst t = `\n`\nthrow refuse('a.b')"
  expect(findKeys(source, 'x.ts')).toMatchObject([{ line: 6 }])
})
