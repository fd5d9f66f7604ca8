import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'
import { instant, type UserId } from '@sealpost/kernel'
import { partitionOf } from '@sealpost/postgres'
import { openTables, seededRandom } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'
import { devicesMigrations } from '../migrations.ts'
import { HINT_PARTITIONS } from '../rules/retention.ts'
import { insertHints } from '../store/hints.ts'
import { openHub } from './index.ts'

/** As README.md says. */
const BOUND_BYTES = 80 * 1024
/** More bytes than the network takes for a reader that reads none. */
const HINTS = 40_000
const AT_ONCE = 10_000
const MARK = 'event: hint'

const { database, clock, telemetry } = await openTables('devices', devicesMigrations)
const id = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const accountId = '0196a8c4-5e6f-7a10-8b2c-3d4e5f60aaaa' as UserId
const hub = openHub({
  database,
  clock,
  telemetry,
  log: telemetry.log,
  random: seededRandom(7),
  monotonicMs: () => performance.now(),
  onNotify: () => Promise.resolve({ close: () => Promise.resolve() }),
  processId: 'one',
  settings: { STREAMS_ACCOUNT: 2 },
  access: { isRevoked: () => false, findAccount: () => ({}), onNews: () => {} },
})
afterAll(() => hub.close())

interface Reader {
  /** Hints that the hub has written to it. */
  written: number
  /** The most bytes that ever waited in this process. */
  mostWaiting: number
}

test('a dead reader has a bounded buffer, another gets everything at once, and the dead one when it reads again', async () => {
  const readers = new Map<string, Reader>()
  const server = createServer((request, response) => {
    const reader: Reader = { written: 0, mostWaiting: 0 }
    readers.set(request.url ?? '', reader)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    const named = { accountId, sessionId: 'one', endsAt: instant(Number.MAX_SAFE_INTEGER), life: 1 }
    const write = (text: string): boolean => {
      const isTaken = response.write(text)
      reader.written += countHints(text)
      reader.mostWaiting = Math.max(reader.mostWaiting, response.writableLength)
      return isTaken
    }
    const watch = hub.open(named, { seq: 0, isMissingHints: false }, { write, end: (text) => void response.end(text) })
    response.on('drain', () => watch.onDrain()).on('close', () => watch.onClosed())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0

  const dead = connect(port, '127.0.0.1').pause()
  dead.write('GET /dead HTTP/1.1\r\nhost: test\r\n\r\n')
  let taken = 0
  let rest = ''
  const quick = get({ port, host: '127.0.0.1', path: '/quick', agent: false }, (answer) => {
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      taken += countHints(rest + chunk)
      rest = (rest + chunk).slice(1 - MARK.length)
    })
  })
  quick.on('error', () => {})
  await expect.poll(() => readers.size).toBe(2)
  for (let done = 0; done < HINTS; done += AT_ONCE) await raise(AT_ONCE)
  await expect.poll(() => readers.get('/quick')?.written).toBe(HINTS)
  await expect.poll(() => taken).toBe(HINTS)

  const waiting = readers.get('/dead')
  expect(waiting?.written).toBeLessThan(HINTS)
  expect(waiting?.mostWaiting).toBeGreaterThan(0)
  expect(waiting?.mostWaiting).toBeLessThan(BOUND_BYTES)
  dead.resume()
  await expect.poll(() => waiting?.written).toBe(HINTS)
  expect(waiting?.mostWaiting).toBeLessThan(BOUND_BYTES)
  dead.destroy()
  quick.destroy()
  server.closeAllConnections()
  server.close()
})

async function raise(count: number): Promise<void> {
  const hints = Array.from({ length: count }, () => ({ accountId, kind: 'challenge_raised' as const, id }))
  const at = clock.now()
  await database.transaction((tx) => insertHints(tx, hints, { at, partition: partitionOf(at, HINT_PARTITIONS) }))
  hub.wake(accountId, [])
}

function countHints(text: string): number {
  return text.split(MARK).length - 1
}
