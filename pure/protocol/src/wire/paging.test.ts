import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageQuery, parsePageQuery } from './paging.ts'

test('without a query a page has 100 rows from the start', () => {
  expect(parsePageQuery({})).toEqual({ ok: true, value: { limit: 100, from: { offset: 0 } } })
})

test('a limit above 500 is clamped, however large', () => {
  for (const limit of ['501', '99999999999999999999999']) {
    expect(parsePageQuery({ limit })).toMatchObject({ ok: true, value: { limit: 500 } })
  }
})

test.each(['0', '-1', '1.5', '', ' 1', '1e2', 'ten', '0x10'])('the limit %j is refused', (limit) => {
  expect(parsePageQuery({ limit })).toMatchObject({ ok: false, refusal: { path: '/limit' } })
})

test('an offset over 10000 is refused with a hint to the cursor', () => {
  expect(parsePageQuery({ offset: '10000' }).ok).toBe(true)
  expect(parsePageQuery({ offset: '10001' })).toMatchObject({
    ok: false,
    refusal: { path: '/offset', message: expect.stringContaining('cursor') },
  })
})

test('an offset that is no number, and an empty cursor, are refused at their place', () => {
  expect(parsePageQuery({ offset: 'x' })).toMatchObject({ ok: false, refusal: { path: '/offset' } })
  expect(parsePageQuery({ cursor: '' })).toMatchObject({ ok: false, refusal: { path: '/cursor' } })
  expect(parsePageQuery({ limit: '7', offset: '20' })).toEqual({ ok: true, value: { limit: 7, from: { offset: 20 } } })
})

test('a cursor takes precedence over an offset', () => {
  expect(parsePageQuery({ cursor: 'abc', offset: '7' })).toMatchObject({ ok: true, value: { from: { cursor: 'abc' } } })
})

test('the pattern in the documentation and the parser accept the same limits', () => {
  const limit = patternOf(pageQuery.limit)
  const offset = patternOf(pageQuery.offset)
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.stringMatching(/^[0-9]*$/)), (text) => {
      expect(parsePageQuery({ limit: text }).ok).toBe(limit.test(text))
      expect(parsePageQuery({ offset: text }).ok).toBe(offset.test(text) && Number(text) <= 10_000)
    }),
  )
})

function patternOf(schema: object): RegExp {
  return new RegExp((schema as { pattern: string }).pattern)
}
