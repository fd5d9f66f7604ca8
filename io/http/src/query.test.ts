import { describe, expect, test } from 'vitest'
import { readTextMembers } from './query.ts'

describe('members of a query or a form', () => {
  test.each([
    ['', {}],
    ['a=1&b=', { a: '1', b: '' }],
    ['a', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=x+y%2B%26', { a: 'x y+&' }],
    ['&&a=1&', { a: '1' }],
    ['%C3%A9=%F0%9F%98%80', { é: '😀' }],
  ])('%j is read', (text, members) => {
    const read = readTextMembers(text)
    expect(read.ok && { ...read.value }).toEqual(members)
  })

  test.each([
    ['a=1&a=2', 'a'],
    ['a=1&%61=1', 'a'],
    ['__proto__=1&__proto__=2', '__proto__'],
    ['a=%zz', 'a'],
    ['a=%ff', 'a'],
    ['a=%00', 'a'],
  ])('%j is refused at %s', (text, name) => {
    expect(readTextMembers(text)).toMatchObject({ ok: false, refusal: { name } })
  })

  test('names of Object.prototype are ordinary members', () => {
    const read = readTextMembers('__proto__=1&constructor=2&toString=3')
    expect(read.ok && Object.entries(read.value)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', '3'],
    ])
    expect(Object.hasOwn(Object.prototype, '1')).toBe(false)
  })

  test('too many members are refused before they are parsed', () => {
    expect(readTextMembers('a=1&'.repeat(5000))).toMatchObject({ ok: false, refusal: { name: null } })
  })
})
