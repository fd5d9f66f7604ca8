import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openReceivers, type Receivers, secretOf } from './receivers.ts'
import { TROUBLES } from './troubles.ts'

let receivers: Receivers
beforeEach(async () => {
  receivers = await openReceivers({ tempers: ['good', 'moody', 'dead', 'dead'], troubleRate: 1 })
})
afterEach(() => receivers.close())

/** The status, or null when there was none. */
async function post(hook: number, id: string, headers: Record<string, string> = {}): Promise<number | null> {
  const init = { method: 'POST', body: '{"flow_run_id":"x"}', headers: { 'webhook-id': id, ...headers } }
  try {
    const signal = AbortSignal.timeout(500)
    const { status } = await fetch(receivers.url(hook), { ...init, redirect: 'manual', signal })
    return status
  } catch {
    return null
  }
}

test('what a good one answers counts as taken, in the order in which it came', async () => {
  expect([await post(0, 'a'), await post(0, 'b')]).toEqual([200, 200])
  expect(receivers.arrivals(0).map(({ id, outcome }) => [id, outcome])).toEqual([
    ['a', 'taken'],
    ['b', 'taken'],
  ])
})

test('a moody one fails in every way, and claims to have taken only what it may have said 200 to', async () => {
  const statuses: (number | null)[] = []
  for (let number = 0; receivers.troubles.size < TROUBLES.length; number += 1) statuses.push(await post(1, `${number}`))
  const arrivals = receivers.arrivals(1)
  expect(arrivals).toHaveLength(statuses.length)
  expect(arrivals.filter(({ outcome }) => outcome === 'taken')).toEqual([])
  const answered200 = arrivals.filter((_, place) => statuses[place] === 200)
  expect(answered200.every(({ outcome }) => outcome === 'unsure')).toBe(true)
}, 60_000)

test('calmed, all but the dead answer well', async () => {
  receivers.calm()
  expect([await post(1, 'a'), await post(2, 'b'), await post(3, 'c')]).toEqual([200, 503, null])
})

test('a second POST of a webhook while the first is open is noticed', async () => {
  const first = request(receivers.url(3), { method: 'POST', headers: { 'webhook-id': 'a' } })
  first.on('error', () => {})
  first.end('{}')
  await vi.waitFor(() => expect(receivers.arrivals(3)).toHaveLength(1))
  await post(3, 'b')
  expect(receivers.overlaps).toHaveLength(1)
  first.destroy()
})

test('a signature is compared with the body', async () => {
  const right = createHmac('sha256', secretOf(0)).update('{"flow_run_id":"x"}').digest('hex')
  await post(0, 'a', { 'x-platform-signature': right })
  expect(receivers.counts.badSignatures).toBe(0)
  await post(0, 'b', { 'x-platform-signature': right.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })
  expect(receivers.counts.badSignatures).toBe(1)
})
