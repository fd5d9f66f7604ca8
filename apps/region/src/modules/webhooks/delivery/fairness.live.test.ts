import type { ServerResponse } from 'node:http'
import type { ConnectionId, ServiceId } from '@sealpost/kernel'
import {
  hookOn,
  makeService,
  newCompany,
  openHooks,
  startTwoRegions,
  type TestHook,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendEvent } from '../../feed/index.ts'

const IN_TIME_MS = 20_000
const CONCURRENCY = 4
const HOOKS = 8
const EVENTS = 5
let two: TwoRegions

beforeAll(async () => {
  two = await startTwoRegions({
    ALLOW_PRIVATE_TARGETS: '1',
    RATE_DATA: '60000',
    WEBHOOK_CONCURRENCY: String(CONCURRENCY),
  })
})
afterAll(() => two.close())

/** A webhook of another company, and a function that appends an event for it. */
async function otherCompany(): Promise<{ readonly hook: TestHook; readonly append: () => Promise<string> }> {
  const { user, portal } = await newCompany(two)
  const path = await makeService(portal)
  const serviceId = path.slice(path.lastIndexOf('/') + 1) as ServiceId
  const hook = await hookOn(portal, serviceId)
  const { database, clock, ids } = two.eu.platform
  const owner = { kind: 'service', companyId: user.userId, serviceId } as const
  const payload = { person_user_id: user.userId, share_code: 'OTHERX', customer_type: 'person' }
  const append = () => {
    const event = {
      owner,
      kind: 'connection_deleted',
      connectionId: ids.uuid<ConnectionId>(),
      payload,
      key: null,
    } as const
    return database.transaction((tx) => appendEvent({ clock, ids }, tx, event))
  }
  return { hook, append }
}

test('a company with many slow webhooks and many events does not delay other companies', async () => {
  const hooks = await openHooks(two)
  const others = await Promise.all([otherCompany(), otherCompany()])
  const slow = await Promise.all(Array.from({ length: HOOKS }, () => hooks.hook()))
  const unanswered: ServerResponse[] = []
  for (const { receiver } of slow) receiver.behave((_received, response) => void unanswered.push(response))
  const ids = await hooks.append(...Array.from({ length: EVENTS }, () => ({})))
  await waitUntil('its POSTs are in flight', IN_TIME_MS, () => unanswered.length >= CONCURRENCY - 1)

  for (const { hook, append } of others) {
    const id = await append()
    expect((await hook.receiver.take(1)).map(({ eventId }) => eventId)).toEqual([id])
  }
  // No slow POST has timed out meanwhile.
  expect(unanswered.every(({ destroyed }) => !destroyed)).toBe(true)
  expect(unanswered).toHaveLength(CONCURRENCY - 1)

  for (const { receiver } of slow) receiver.behave(() => 200)
  for (const response of unanswered) response.writeHead(200).end()
  for (const { receiver } of slow) {
    expect((await receiver.take(EVENTS)).map(({ eventId }) => eventId)).toEqual(ids)
    expect(receiver.mostAtOnce()).toBe(1)
  }
  await Promise.all(others.map(({ hook }) => hook.receiver.close()))
  await hooks.close()
})
