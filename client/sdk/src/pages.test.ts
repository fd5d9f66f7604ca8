import { expect, test } from 'vitest'
import { everyItem, type Page } from './pages.ts'

test('every item of every page is returned once, in order', async () => {
  const pages: Record<string, Page<number>> = {
    first: { items: [1, 2], next_cursor: 'b' },
    b: { items: [], next_cursor: 'c' },
    c: { items: [3], next_cursor: null },
  }
  const read: string[] = []
  const items = everyItem((cursor) => {
    read.push(cursor ?? 'first')
    return Promise.resolve(pages[cursor ?? 'first'] ?? [])
  })

  expect(await collect(items)).toEqual([1, 2, 3])
  expect(read).toEqual(['first', 'b', 'c'])
})

test('a bare array is a list of one page', async () => {
  expect(await collect(everyItem(() => Promise.resolve([1, 2])))).toEqual([1, 2])
})

test('pages are read on demand', async () => {
  let reads = 0
  const items = everyItem(() => {
    reads += 1
    return Promise.resolve({ items: [1, 2], next_cursor: String(reads) })
  })
  for await (const item of items) if (item === 2) break

  expect(reads).toBe(1)
})

test('a list that repeats the same cursor is stopped', async () => {
  const items = everyItem(() => Promise.resolve({ items: [1], next_cursor: 'again' }))

  await expect(collect(items)).rejects.toThrow('would never end')
})

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}
