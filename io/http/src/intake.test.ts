import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { openIntake } from './intake.ts'
import { startTestServer, THING, type TestServer } from './testing/server.ts'

const MIB = 1_048_576
let api: TestServer | null = null

afterEach(async () => {
  vi.useRealTimers()
  await api?.close()
  api = null
})

test('a caller waits when the first bytes are used up, at the steady rate, and another one does not', () => {
  let nowMs = 0
  const intake = openIntake({ burstBytes: 1000, bytesPerSecond: 100 }, () => nowMs)
  expect([intake.take('a', 600), intake.take('a', 400)]).toEqual([0, 0])
  expect([intake.take('a', 50), intake.take('a', 50)]).toEqual([500, 1000])
  expect(intake.take('b', 1000)).toBe(0)
  nowMs = 1000
  expect([intake.take('a', 0), intake.take('a', 10)]).toEqual([0, 100])
  nowMs = 60_000
  expect([intake.take('a', 1000), intake.take('a', 1)]).toEqual([0, 10])
})

test('callers who are done are forgotten, others are not', () => {
  let nowMs = 0
  const intake = openIntake({ burstBytes: 10, bytesPerSecond: 1 }, () => nowMs)
  intake.take('greedy', 100)
  for (let number = 0; number < 5000; number += 1) intake.take(`once ${number}`, 1)
  expect(intake.take('greedy', 0)).toBe(90_000)
  nowMs = 50_000
  for (let number = 0; number < 5000; number += 1) intake.take(`again ${number}`, 1)
  expect(intake.take('greedy', 0)).toBe(40_000)
})

test('an accepted body is read at the rate of its caller', async () => {
  api = await startTestServer({ intake: { burstBytes: MIB, bytesPerSecond: MIB } })
  const { status, tookMs } = await send(api, 2 * MIB)
  expect(status).toBe(200)
  expect(tookMs).toBeGreaterThan(900)
})

test('a refused body is discarded at that rate, and its sender gets the answer', async () => {
  api = await startTestServer({ intake: { burstBytes: 8 * MIB, bytesPerSecond: 16 * MIB } })
  const { status, tookMs } = await send(api, 48 * MIB)
  expect(status).toBe(413)
  // Buffers of the system take a few megabytes of the rest.
  expect(tookMs).toBeGreaterThan(1000)
})

/** How long it takes to get rid of a body of this size. Time passes only while the server waits: a busy machine adds none. */
async function send({ url }: TestServer, size: number): Promise<{ readonly status: number; readonly tookMs: number }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => (answer += String(data)))
  const [start, end] = ['{"name":"', '"}']
  const body = `${start}${'x'.repeat(size - start.length - end.length)}${end}`
  const head = ['Host: x', 'Authorization: Bearer good', 'Content-Type: application/json', `Content-Length: ${size}`]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const startedMs = performance.now()
  socket.write(`PUT /api/things/${THING} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  let isSent = socket.write(body)
  socket.once('drain', () => (isSent = true))
  await expect
    .poll(
      () => {
        if (vi.getTimerCount() > 0) vi.advanceTimersToNextTimer()
        return isSent && answer
      },
      { interval: 1 },
    )
    .toContain('HTTP/1.1 ')
  const tookMs = performance.now() - startedMs
  socket.destroy()
  return { status: Number(answer.slice(9, 12)), tookMs }
}
