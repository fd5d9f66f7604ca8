import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FAILURE_MODES } from './failure-modes.ts'
import { openReceivers, type Receivers, secretOf } from './receivers.ts'

let receivers: Receivers
beforeEach(async () => {
  receivers = await openReceivers({ behaviours: ['healthy', 'erratic', 'down', 'down'], failureRate: 1 })
})
afterEach(() => receivers.close())

/** Null when there was no answer. */
async function post(webhook: number, id: string, headers: Record<string, string> = {}): Promise<number | null> {
  const init = { method: 'POST', body: '{"flow_run_id":"x"}', headers: { 'webhook-id': id, ...headers } }
  try {
    const signal = AbortSignal.timeout(500)
    const { status } = await fetch(receivers.url(webhook), { ...init, redirect: 'manual', signal })
    return status
  } catch {
    return null
  }
}

test('events at a healthy receiver count as taken, in the order of arrival', async () => {
  expect([await post(0, 'a'), await post(0, 'b')]).toEqual([200, 200])
  expect(receivers.arrivals(0).map(({ id, outcome }) => [id, outcome])).toEqual([
    ['a', 'taken'],
    ['b', 'taken'],
  ])
})

test('an erratic receiver fails in every mode, and an event it answered 200 to is at most unsure', async () => {
  const statuses: (number | null)[] = []
  for (let number = 0; receivers.failures.size < FAILURE_MODES.length; number += 1)
    statuses.push(await post(1, `${number}`))
  const arrivals = receivers.arrivals(1)
  expect(arrivals).toHaveLength(statuses.length)
  expect(arrivals.filter(({ outcome }) => outcome === 'taken')).toEqual([])
  const answered200 = arrivals.filter((_, index) => statuses[index] === 200)
  expect(answered200.every(({ outcome }) => outcome === 'unsure')).toBe(true)
})

test('after recovery all receivers but those that are down answer 200', async () => {
  receivers.recover()
  expect([await post(1, 'a'), await post(2, 'b'), await post(3, 'c')]).toEqual([200, 503, null])
})

test('a second POST to a webhook while the first is open is recorded as an overlap', async () => {
  const first = request(receivers.url(3), { method: 'POST', headers: { 'webhook-id': 'a' } })
  first.on('error', () => {})
  first.end('{}')
  await vi.waitFor(() => expect(receivers.arrivals(3)).toHaveLength(1))
  await post(3, 'b')
  expect(receivers.overlaps).toHaveLength(1)
  first.destroy()
})

test('a signature that does not match the body is counted', async () => {
  const right = createHmac('sha256', secretOf(0)).update('{"flow_run_id":"x"}').digest('hex')
  await post(0, 'a', { 'x-platform-signature': right })
  expect(receivers.counts.badSignatures).toBe(0)
  await post(0, 'b', { 'x-platform-signature': right.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })
  expect(receivers.counts.badSignatures).toBe(1)
})
