import { expect, test } from 'vitest'
import { openBatcher } from './batch.ts'

test('requests during a batch form the next batch', async () => {
  const batches: (readonly number[])[] = []
  const first = Promise.withResolvers<void>()
  const squares = openBatcher<number, number>(100, async (keys) => {
    batches.push(keys)
    if (batches.length === 1) await first.promise
    return keys.map((key) => key * key)
  })
  const one = squares.load(1)
  await new Promise((resolve) => void setImmediate(resolve))
  const rest = [2, 3, 4].map((key) => squares.load(key))
  first.resolve()
  expect(await Promise.all([one, ...rest])).toEqual([1, 4, 9, 16])
  expect(batches).toEqual([[1], [2, 3, 4]])
})

test('a batch is not larger than its limit', async () => {
  const sizes: number[] = []
  const echo = openBatcher<number, number>(2, async (keys) => {
    sizes.push(keys.length)
    return keys
  })
  expect(await Promise.all([1, 2, 3, 4, 5].map((key) => echo.load(key)))).toEqual([1, 2, 3, 4, 5])
  expect(sizes).toEqual([2, 2, 1])
})

test('a key that fails does not fail the others, and later ones are loaded', async () => {
  const picky = openBatcher<number, number>(100, async (keys) => {
    if (keys.includes(13)) throw new Error('not 13')
    return keys
  })
  const results = await Promise.allSettled([12, 13, 14].map((key) => picky.load(key)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await picky.load(15)).toBe(15)
})
