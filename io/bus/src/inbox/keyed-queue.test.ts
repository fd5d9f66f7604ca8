import { expect, test } from 'vitest'
import { createKeyedQueue } from './keyed-queue.ts'

function recordingQueue(keysAtOnce: number, itemsAtOnce: number) {
  const turns: { readonly items: readonly string[]; finish(): void }[] = []
  const queue = createKeyedQueue<string>({
    keysAtOnce,
    itemsAtOnce,
    work: (items) => new Promise((resolve) => turns.push({ items, finish: resolve })),
  })
  const nextTick = () => new Promise((resolve) => setImmediate(resolve))
  return {
    queue,
    turns,
    finish: async (index: number) => {
      turns[index]?.finish()
      await nextTick()
    },
  }
}

test('items of one key are processed in order and never concurrently; other keys do not wait for them', async () => {
  const { queue, turns, finish } = recordingQueue(2, 1)
  for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item)
  expect(turns.map(({ items }) => items)).toEqual([['a1'], ['b1']])
  await finish(1)
  expect(turns).toHaveLength(2)
  await finish(0)
  expect(turns.at(-1)?.items).toEqual(['a2'])
})

test('several waiting items of one key are processed together, up to the limit', async () => {
  const { queue, turns, finish } = recordingQueue(1, 2)
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.add('a', item)
  await finish(0)
  await finish(1)
  expect(turns.map(({ items }) => items)).toEqual([['a1'], ['a2', 'a3'], ['a4']])
})

test('a key with many items takes turns with the others', async () => {
  const { queue, turns, finish } = recordingQueue(1, 1)
  for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item)
  await finish(0)
  await finish(1)
  expect(turns.map(({ items }) => items)).toEqual([['a1'], ['b1'], ['a2']])
})

test('drained waits for everything that was added', async () => {
  const { queue, finish } = recordingQueue(1, 1)
  await queue.drained()
  queue.add('a', 'a1')
  let isDrained = false
  const drained = queue.drained().then(() => {
    isDrained = true
  })
  expect(isDrained).toBe(false)
  await finish(0)
  await drained
  expect(isDrained).toBe(true)
})
