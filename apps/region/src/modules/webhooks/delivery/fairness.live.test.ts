import type { ServerResponse } from 'node:http'
import { openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { events, idsOf } from '../testing/webhooks.ts'

const CONCURRENCY = 4
const HOOKS = 8
const EVENTS = 5

const world = await openWorld({ settings: { WEBHOOK_CONCURRENCY: String(CONCURRENCY) } })
const service = await world.service()
const others = [await world.service(), await world.service()]

test('a company with many slow webhooks and many events does not delay other companies', async () => {
  const healthy = await Promise.all(others.map((other) => other.webhook()))
  const slow = await Promise.all(Array.from({ length: HOOKS }, () => service.webhook()))
  const unanswered: ServerResponse[] = []
  for (const { receiver } of slow) receiver.behave((_received, response) => void unanswered.push(response))
  const ids = await service.append(...events(EVENTS))
  const inTime = { timeout: scaled(20_000) }
  await expect.poll(() => unanswered.length, inTime).toBeGreaterThanOrEqual(CONCURRENCY - 1)

  for (const [index, { receiver }] of healthy.entries()) {
    const theirs = await others[index]?.append()
    expect(idsOf(await receiver.take(1))).toEqual(theirs)
  }
  // No slow POST has timed out meanwhile.
  expect(unanswered.every(({ destroyed }) => !destroyed)).toBe(true)
  expect(unanswered).toHaveLength(CONCURRENCY - 1)

  for (const { receiver } of slow) receiver.behave(() => 200)
  for (const response of unanswered) response.writeHead(200).end()
  for (const { receiver } of slow) {
    expect(idsOf(await receiver.take(EVENTS))).toEqual(ids)
    expect(receiver.mostAtOnce()).toBe(1)
  }
})
