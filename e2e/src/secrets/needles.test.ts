import { expect, test } from 'vitest'
import { digitsNeedle, needle, tokenNeedles } from './needles.ts'
import { search } from './search.ts'

const SECRET = 'a "very" secret tëxt/with?odd+parts'
const wanted = [needle('it', SECRET)]

test.each([0, 1, 2, 3, 4, 5])('a secret %i bytes into a longer text is found in base64 and hex', (before) => {
  const longer = Buffer.from(`${'x'.repeat(before)}${SECRET} and more`)
  for (const encoding of ['base64', 'base64url', 'hex', 'utf8'] as const)
    expect(search([{ place: 'there', content: `(${longer.toString(encoding)})` }], wanted)).toHaveLength(1)
})

test.each([
  ['JSON', JSON.stringify({ member: SECRET })],
  ['JSON in JSON', JSON.stringify(JSON.stringify({ member: SECRET }))],
  ['a query', `/path?x=${encodeURIComponent(SECRET)}&y`],
  ['upper-case hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['UTF-16', Buffer.from(`..${SECRET}..`, 'utf16le')],
])('a secret is found in %s', (_what, content) => {
  expect(search([{ place: 'there', content }], wanted)).toHaveLength(1)
})

test('a text without the secret is not found, and a secret that is too short is refused', () => {
  const near = [SECRET.slice(1), SECRET.slice(0, -1), Buffer.from(SECRET.slice(2)).toString('base64')]
  expect(
    search(
      near.map((content) => ({ place: 'there', content })),
      wanted,
    ),
  ).toEqual([])
  expect(() => needle('it', 'short')).toThrow('it is too short')
})

test('digits are found where they stand alone, and not in times and numbers', () => {
  const codes = [digitsNeedle('a code', '123456')]
  const contains = (content: string) => search([{ place: 'there', content }], codes).length === 1
  expect(['123456', '{"code":"123456"}', 'code 123456, again', 'code=123456'].map(contains)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['10:20:30.123456', '91234567', 'a123456b', '2026-123456'].map(contains)).toEqual([false, false, false, false])
})

test('every long part of a token is searched for by itself', () => {
  const token = `${'h'.repeat(40)}.${'p'.repeat(80)}.${'s'.repeat(86)}`
  const found = search([{ place: 'there', content: `only ${'s'.repeat(86)}` }], tokenNeedles('a token', token))
  expect(found).toEqual([{ place: 'there', name: 'a token, part 3', as: 'itself' }])
})
