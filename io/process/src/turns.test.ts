import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const late = () => new Error('late')

test('so many work at once, and the others follow in the order in which they came', async () => {
  const turns = createTurns(2)
  const began: number[] = []
  const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<void>())
  const all = gates.map(({ promise }, index) =>
    turns.take(
      60_000,
      async () => {
        began.push(index)
        await promise
        return index
      },
      late,
    ),
  )
  await expect.poll(() => began).toEqual([0, 1])
  gates[1]?.resolve()
  await expect.poll(() => began).toEqual([0, 1, 2])
  for (const { resolve } of gates) resolve()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3])
})

test('a turn that does not come in time is not taken, and leaves the line', async () => {
  const turns = createTurns(1)
  const gate = Promise.withResolvers<void>()
  const first = turns.take(1, () => gate.promise, late)
  let hasRun = false
  const second = turns.take(
    1,
    async () => {
      hasRun = true
    },
    late,
  )
  await expect(second).rejects.toThrow('late')
  gate.resolve()
  await first
  expect(await turns.take(1, () => Promise.resolve('next'), late)).toBe('next')
  expect(hasRun).toBe(false)
})

test('work that throws gives its turn back', async () => {
  const turns = createTurns(1)
  await expect(turns.take(1, () => Promise.reject(new Error('oops')), late)).rejects.toThrow('oops')
  expect(await turns.take(1, () => Promise.resolve('next'), late)).toBe('next')
})
