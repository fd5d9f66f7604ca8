import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { errorKeyOf } from './testing/requests.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

const AGES = 1_000_000
let api: TestServer
afterEach(() => api.close())

/** A process whose engines are in use, which works on one call at once; it ends with the result. */
async function openBusy(waiting: number): Promise<() => void> {
  api = await startTestServer({
    isCrowded: () => true,
    admission: { working: 1, waiting, workMs: AGES, standingMs: AGES },
  })
  const gate = Promise.withResolvers<void>()
  api.waitAtHome = () => gate.promise
  return gate.resolve
}

const waitingCalls = async (): Promise<string | undefined> =>
  /^http_calls_waiting\S* (\d+)/m.exec(await api.telemetry.prometheus())?.[1]

test('calls wait for the one that is worked on, and those beyond the line get 503 before anything is asked', async () => {
  const go = await openBusy(1)
  const first = api.send('/api/tagged')
  await expect.poll(() => api.asked).toContain('authenticate')
  const second = api.send('/api/tagged')
  await expect.poll(waitingCalls).toBe('1')
  const third = api.send('/api/tagged')
  const refused = await second
  expect([refused.status, refused.headers.get('retry-after'), await errorKeyOf(refused)]).toEqual([
    503,
    '1',
    'platform.busy',
  ])
  expect(api.asked.filter((gate) => gate === 'authenticate')).toHaveLength(1)
  go()
  expect([(await first).status, (await third).status]).toEqual([200, 200])
})

test('a refused call is no error of the process: it is counted, and logged as information', async () => {
  const go = await openBusy(0)
  const first = api.send('/api/tagged')
  await expect.poll(() => api.asked).toContain('authenticate')
  expect((await api.send('/api/tagged')).status).toBe(503)
  go()
  await first
  const lines = api.telemetry.lines().filter((line) => line['error_key'] === 'platform.busy')
  expect(lines.map(({ level, status }) => [level, status])).toEqual([['info', 503]])
  expect(await api.telemetry.prometheus()).toMatch(/^http_calls_shed_total\{reason="read"\S* 1/m)
})

test('a call whose body has not come holds no place', async () => {
  const go = await openBusy(10)
  go()
  const { port } = new URL(api.url)
  const head =
    'POST /api/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n'
  const slow = connect(Number(port), '127.0.0.1').on('error', () => {})
  slow.write(`${head}Content-Length: 100\r\n\r\n{`)
  await expect.poll(() => api.asked).toContain('limits')
  expect((await api.send('/api/tagged')).status).toBe(200)
  slow.destroy()
})
