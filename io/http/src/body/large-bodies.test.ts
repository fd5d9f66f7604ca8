import { setImmediate as nextTurn } from 'node:timers/promises'
import { quietTelemetry } from '@sealpost/telemetry'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestServer, THING } from '../testing/server.ts'
import { openLargeBodies } from './large-bodies.ts'

const MIB = 1_048_576
const api = await startTestServer({ maxBodyBytes: 8 * MIB })
const bodies = openLargeBodies(quietTelemetry())
afterAll(() => {
  bodies.close()
  return api.close()
})

const put = (body: string) =>
  api.send(`/api/things/${THING}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })

describe('a body above 1 MiB', () => {
  const name = 'é'.repeat(MIB)

  test('is read like any other', async () => {
    const answer = await put(`{"name":"${name}","__proto__":{"count":1}}`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ name })
  })

  test.each([
    [`{"name":"${name}`, '/body', 'is not valid JSON'],
    [`{"name":"${name}\\u0000"}`, '/body/name', 'holds a NUL or a lone surrogate'],
    [`{"name":"x","a":[${'0,'.repeat(MIB)}0]}`, '/body', 'holds more than 50000 values'],
    [`{"name":1}${' '.repeat(2 * MIB)}`, '/body/name', 'must be a string'],
  ])('is refused for the same reasons: %#', async (body, path, message) => {
    const answer = await put(body)
    expect([answer.status, await answer.json()]).toMatchObject([400, { details: [{ path, message }] }])
  })
})

describe('the thread for large bodies', () => {
  const bytes = (size = 2 * MIB) => {
    const body = Buffer.allocUnsafeSlow(size).fill(0x20)
    body.write('"x"')
    return body
  }

  test('leaves the event loop free', async () => {
    let turns = 0
    const counting = setInterval(() => (turns += 1), 1)
    const body = await bodies.read(bytes(32 * MIB), true)
    clearInterval(counting)
    body.done()
    expect(body).toMatchObject({ read: { ok: true, value: 'x' }, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(turns).toBeGreaterThan(10)
  })

  test('takes the bytes over, and reads the next body when the work for the first has ended', async () => {
    const [first, second] = [bytes(), bytes()]
    const one = await bodies.read(first, false)
    expect(first.length).toBe(0)
    const other = bodies.read(second, false)
    await nextTurn()
    expect(second.length).toBe(2 * MIB)
    one.done()
    one.done()
    const read = await other
    expect([read.sha256, second.length]).toEqual([null, 0])
    read.done()
  })
})
