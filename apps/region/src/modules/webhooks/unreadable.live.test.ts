import { runStatement } from '@sealpost/postgres'
import {
  demand,
  type HookDesk,
  keyOf,
  listOf,
  openHooks,
  startTwoRegions,
  type TestHook,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const NO_SECRET = {
  hmac_secret: null,
  auth_token: null,
  auth_username: null,
  auth_password: null,
  auth_header_name: null,
  auth_header_value: null,
}
const UNREADABLE = 'its secrets cannot be opened; set them again'
let two: TwoRegions
let hooks: HookDesk
let bad: TestHook

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())
beforeEach(async () => {
  hooks = await openHooks(two)
})
afterEach(() => hooks.close())

/** A webhook whose secrets are sealed under a missing key. */
async function openUnreadable(members: object = {}): Promise<TestHook> {
  const hook = await hooks.hook(members)
  await two.eu.platform.database.transaction((tx) =>
    runStatement(tx, `update webhooks.endpoint set secrets_key_id = 'gone' where id = $1`, [hook.id]),
  )
  return hook
}

test('a webhook with unreadable secrets is listed with that error; the others are not affected', async () => {
  bad = await openUnreadable()
  const fine = await hooks.hook()
  const { items } = await demand(hooks.portal('GET', `/api/services/${hooks.desk.serviceId}/webhooks`))
  expect(listOf(items)).toMatchObject([
    { id: bad.id, ...NO_SECRET, url: bad.receiver.url, health: { state: 'running', last_error: UNREADABLE } },
    { id: fine.id, hmac_secret: fine.made['hmac_secret'], health: { last_error: null } },
  ])
  expect(await bad.read()).toMatchObject({ ...NO_SECRET, health: { last_error: UNREADABLE } })
})

test('its events are parked, nothing is sent to it, and the others get their events', async () => {
  bad = await openUnreadable()
  const fine = await hooks.hook()
  const [id] = await hooks.append()
  expect((await fine.receiver.take(1)).map(({ eventId }) => eventId)).toEqual([id])
  await bad.becomes('bad')
  expect(await bad.health()).toMatchObject({ backlog_count: 1, last_error: UNREADABLE })
  expect(await bad.deliveries()).toMatchObject([{ http_status: null, error_class: 'config' }])
  expect(await bad.act('test')).toMatchObject({ status: 200, body: { http_status: null, error_class: 'config' } })
  expect(bad.receiver.all).toEqual([])
  expect(await fine.health()).toMatchObject({ state: 'running', backlog_count: 0 })
})

test('it can be paused, resumed, probed, replayed and deleted like any other', async () => {
  bad = await openUnreadable()
  for (const command of ['pause', 'resume', 'probe']) expect(await bad.act(command)).toMatchObject({ status: 200 })
  expect(await bad.act('replay')).toMatchObject({ status: 202 })
  const path = `/api/services/${hooks.desk.serviceId}/webhooks/${bad.id}`
  expect((await hooks.portal('DELETE', path)).status).toBe(204)
  expect(keyOf(await hooks.portal('GET', path))).toBe('services.webhook_not_found')
})

test('a new signing secret repairs it, and its backlog is sent', async () => {
  bad = await openUnreadable()
  const [id] = await hooks.append()
  await bad.becomes('bad')
  const rotated = await bad.act('regenerate-hmac-secret')
  expect(rotated).toMatchObject({ status: 200, body: { previous_valid_until: null } })
  expect((await bad.act('probe')).status).toBe(200)
  await bad.becomes('running')
  expect((await bad.receiver.take(1)).map(({ eventId }) => eventId)).toEqual([id])
  expect(await bad.read()).toMatchObject({ hmac_secret: expect.stringMatching(/^••••/), health: { last_error: null } })
})

test('with another authentication only a change with all its secrets repairs it', async () => {
  bad = await openUnreadable({ auth_type: 'bearer', auth_token: 'first-token' })
  for (const refused of [await bad.act('regenerate-hmac-secret'), await bad.change({ auth_type: 'bearer' })]) {
    expect([refused.status, keyOf(refused)]).toEqual([400, 'services.webhook_auth_invalid'])
  }
  const repaired = await bad.change({ auth_type: 'bearer', auth_token: 'second-token' })
  expect(repaired).toMatchObject({ status: 200, body: { auth_token: '••••oken', health: { last_error: null } } })
  await hooks.append()
  const [received] = await bad.receiver.take(1)
  expect(received?.headers['authorization']).toBe('Bearer second-token')
})

test('without authentication it needs no secret and gets its events', async () => {
  bad = await openUnreadable({ auth_type: 'none' })
  expect(await bad.health()).toMatchObject({ last_error: null })
  await hooks.append()
  expect(await bad.receiver.take(1)).toHaveLength(1)
})
