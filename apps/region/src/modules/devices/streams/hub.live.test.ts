import { instant, type UserId } from '@sealpost/kernel'
import { partitionOf } from '@sealpost/postgres'
import { openTables, seededRandom } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'
import type { AccessNews } from '../../../platform/module.ts'
import { devicesMigrations } from '../migrations.ts'
import { HINT_PARTITIONS } from '../rules/retention.ts'
import { insertHints } from '../store/hints.ts'
import { openHub } from './index.ts'

const { database, clock, telemetry } = await openTables('devices', devicesMigrations)
const id = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const accountId = '0196a8c4-5e6f-7a10-8b2c-3d4e5f60aaaa' as UserId
const PAGE_BYTES = 20_000

const watchers: ((news: AccessNews) => void)[] = []
const hub = openHub({
  database,
  clock,
  telemetry,
  log: telemetry.log,
  random: seededRandom(7),
  monotonicMs: () => performance.now(),
  // Deaf: these tests wake the hub themselves.
  onNotify: () => Promise.resolve({ close: () => Promise.resolve() }),
  processId: 'one',
  settings: { STREAMS_ACCOUNT: 2 },
  access: { isRevoked: () => false, findAccount: () => ({}), onNews: (watcher) => void watchers.push(watcher) },
})
afterAll(() => hub.close())

async function raise(count: number): Promise<void> {
  const hints = Array.from({ length: count }, () => ({ accountId, kind: 'challenge_raised' as const, id }))
  const at = clock.now()
  await database.transaction((tx) => insertHints(tx, hints, { at, partition: partitionOf(at, HINT_PARTITIONS) }))
  hub.wake(accountId, [])
}

/** A stream whose reader takes nothing until told. */
function open(seq: number, isTaking: boolean, sessionId = 'one') {
  const written: string[] = []
  let ended: string | null = null
  const named = { accountId, sessionId, endsAt: instant(Number.MAX_SAFE_INTEGER), life: 1 }
  const write = (text: string): boolean => written.push(text) > 0 && isTaking
  const watch = hub.open(named, { seq, isMissingHints: false }, { write, end: (text) => (ended = text) })
  const hints = (): number => written.join('').split('event: hint').length - 1
  const numbers = (): number[] =>
    [...written.join('').matchAll(/id: \d+-(\d+)\nevent: hint/g)].map(([, number]) => Number(number))
  return {
    watch,
    hints,
    numbers,
    bytes: () => written.join('').length,
    pages: () => written.length,
    ended: () => ended,
  }
}

test('a reader that takes nothing has one page in memory and delays no other one, and gets everything later', async () => {
  const [slow, quick] = [open(0, false), open(0, true)]
  await raise(1000)
  await expect.poll(quick.hints).toBe(1000)
  // The opening was not taken: no hint was written.
  expect([slow.pages(), slow.hints()]).toEqual([1, 0])
  slow.watch.onDrain()
  await expect.poll(slow.hints).toBe(100)
  expect(slow.bytes()).toBeLessThan(PAGE_BYTES)
  for (let taken = 200; taken <= 1000; taken += 100) {
    slow.watch.onDrain()
    await expect.poll(slow.hints).toBe(taken)
  }
  slow.watch.onClosed()
  quick.watch.onClosed()
})

test('hints of the same process are written without a read, unless the stream lacks one before them', async () => {
  const stream = open(1000, true)
  const told = (seq: number) => [{ accountId, seq, kind: 'challenge_raised', id }]
  // Neither of these is in the table.
  hub.wake(accountId, told(1002))
  hub.wake(accountId, told(1001))
  await expect.poll(stream.hints).toBe(1)
  await raise(2)
  await expect.poll(stream.hints).toBe(2)
  expect(stream.numbers()).toEqual([1001, 1002])
  stream.watch.onClosed()
})

test('one stream too many ends the oldest of the account', () => {
  const [oldest, second, third] = [open(1000, true), open(1000, true), open(1000, true)]
  expect(oldest.ended()).toContain('event: reconnect')
  expect([second.ended(), third.ended(), hub.count()]).toEqual([null, null, 2])
  for (const { watch } of [second, third]) watch.onClosed()
})

test('a revoked session ends its streams before the news is reported as seen, and no others', () => {
  const [ending, staying] = [open(1000, true, 'ending'), open(1000, true, 'staying')]
  const news = { subjects: [], revokedSessions: [{ sessionId: 'ending' }], switches: { outOfOrder: false } }
  for (const watcher of watchers) watcher(news)
  expect([ending.ended() === null, staying.ended()]).toEqual([false, null])
  staying.watch.onClosed()
})

test('a process that drains ends its streams, each with its own time to come back', () => {
  const all = [open(1000, true), open(1000, true)]
  hub.drain()
  const waits = all.map(({ ended }) => Number(/^retry: (\d+)/.exec(ended() ?? '')?.[1]))
  expect(waits.every((wait) => wait >= 0 && wait <= 5000)).toBe(true)
  expect(new Set(waits).size).toBe(2)
  expect([hub.count(), hub.isDraining()]).toEqual([0, true])
})
