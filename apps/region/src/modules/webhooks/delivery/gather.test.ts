import { expect, test } from 'vitest'
import { gather } from './gather.ts'

test('what is asked while a round is under way goes together into the next', async () => {
  const rounds: (readonly number[])[] = []
  const first = Promise.withResolvers<void>()
  const squares = gather<number, number>(100, async (asks) => {
    rounds.push(asks)
    if (rounds.length === 1) await first.promise
    return asks.map((ask) => ask * ask)
  })
  const one = squares.ask(1)
  await new Promise((resolve) => void setImmediate(resolve))
  const rest = [2, 3, 4].map((ask) => squares.ask(ask))
  first.resolve()
  expect(await Promise.all([one, ...rest])).toEqual([1, 4, 9, 16])
  expect(rounds).toEqual([[1], [2, 3, 4]])
})

test('a round takes no more than it may', async () => {
  const sizes: number[] = []
  const echo = gather<number, number>(2, async (asks) => {
    sizes.push(asks.length)
    return asks
  })
  expect(await Promise.all([1, 2, 3, 4, 5].map((ask) => echo.ask(ask)))).toEqual([1, 2, 3, 4, 5])
  expect(sizes).toEqual([2, 2, 1])
})

test('one that cannot be served does not take the others along, and later ones are served', async () => {
  const picky = gather<number, number>(100, async (asks) => {
    if (asks.includes(13)) throw new Error('not 13')
    return asks
  })
  const asked = await Promise.allSettled([12, 13, 14].map((ask) => picky.ask(ask)))
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await picky.ask(15)).toBe(15)
})
