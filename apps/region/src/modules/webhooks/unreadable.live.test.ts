import { runStatement } from '@sealpost/postgres'
import { keyOf, openWorld, type Service, type Webhook } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { SECRET_NAMES } from './model.ts'
import { idsOf } from './testing/webhooks.ts'

const NO_SECRET = Object.fromEntries(SECRET_NAMES.map((name) => [name, null]))
const UNREADABLE = 'its secrets cannot be opened; set them again'

const world = await openWorld()
const company = await world.company()
const open = () => world.service([], { company })

/** A webhook whose secrets are sealed under a missing key. */
async function openUnreadable(service: Service, members: object = {}): Promise<Webhook> {
  const hook = await service.webhook(members)
  await world.eu.platform.database.transaction((tx) =>
    runStatement(tx, `update webhooks.endpoint set secrets_key_id = 'gone' where id = $1`, [hook.id]),
  )
  return hook
}

test('a webhook with unreadable secrets is listed with that error; the others are not affected', async () => {
  const service = await open()
  const bad = await openUnreadable(service)
  const fine = await service.webhook()
  expect(await service.portal('GET', `${service.path}/webhooks`)).toMatchObject({
    status: 200,
    body: {
      items: [
        { id: bad.id, ...NO_SECRET, url: bad.receiver.url, health: { state: 'running', last_error: UNREADABLE } },
        { id: fine.id, hmac_secret: fine.made['hmac_secret'], health: { last_error: null } },
      ],
    },
  })
  expect(await bad.read()).toMatchObject({ ...NO_SECRET, health: { last_error: UNREADABLE } })
})

test('its events are parked, nothing is sent to it, and the others get their events', async () => {
  const service = await open()
  const bad = await openUnreadable(service)
  const fine = await service.webhook()
  const [id] = await service.append()
  expect(idsOf(await fine.receiver.take(1))).toEqual([id])
  await bad.becomes('bad')
  expect(await bad.health()).toMatchObject({ backlog_count: 1, last_error: UNREADABLE })
  expect(await bad.deliveries()).toMatchObject([{ http_status: null, error_class: 'config' }])
  expect(await bad.post('test')).toMatchObject({ status: 200, body: { http_status: null, error_class: 'config' } })
  expect(bad.receiver.all).toEqual([])
  expect(await fine.health()).toMatchObject({ state: 'running', backlog_count: 0 })
})

test('it can be paused, resumed, probed, replayed and deleted like any other', async () => {
  const service = await open()
  const bad = await openUnreadable(service)
  for (const command of ['pause', 'resume', 'probe']) expect(await bad.post(command)).toMatchObject({ status: 200 })
  expect(await bad.post('replay')).toMatchObject({ status: 202 })
  expect((await service.portal('DELETE', bad.path)).status).toBe(204)
  expect(keyOf(await service.portal('GET', bad.path))).toBe('services.webhook_not_found')
})

test('a new signing secret repairs it, and its backlog is sent', async () => {
  const service = await open()
  const bad = await openUnreadable(service)
  const [id] = await service.append()
  await bad.becomes('bad')
  const rotated = await bad.post('regenerate-hmac-secret')
  expect(rotated).toMatchObject({ status: 200, body: { previous_valid_until: null } })
  expect((await bad.post('probe')).status).toBe(200)
  await bad.becomes('running')
  expect(idsOf(await bad.receiver.take(1))).toEqual([id])
  expect(await bad.read()).toMatchObject({ hmac_secret: expect.stringMatching(/^••••/), health: { last_error: null } })
})

test('with another authentication only a change with all its secrets repairs it', async () => {
  const service = await open()
  const bad = await openUnreadable(service, { auth_type: 'bearer', auth_token: 'first-token' })
  for (const refused of [await bad.post('regenerate-hmac-secret'), await bad.change({ auth_type: 'bearer' })]) {
    expect([refused.status, keyOf(refused)]).toEqual([400, 'services.webhook_auth_invalid'])
  }
  const repaired = await bad.change({ auth_type: 'bearer', auth_token: 'second-token' })
  expect(repaired).toMatchObject({ status: 200, body: { auth_token: '••••oken', health: { last_error: null } } })
  await service.append()
  const [received] = await bad.receiver.take(1)
  expect(received?.headers['authorization']).toBe('Bearer second-token')
})

test('without authentication it needs no secret and gets its events', async () => {
  const service = await open()
  const bad = await openUnreadable(service, { auth_type: 'none' })
  expect(await bad.health()).toMatchObject({ last_error: null })
  await service.append()
  expect(await bad.receiver.take(1)).toHaveLength(1)
})
