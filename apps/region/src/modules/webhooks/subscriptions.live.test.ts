import { openWorld, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { idsOf } from './testing/webhooks.ts'

const world = await openWorld()
const company = await world.company()
const open = () => world.service([], { company })

const created = { kind: 'connection_created' } as const
const deleted = { kind: 'connection_deleted' } as const

describe('events', () => {
  test('only the listed kinds are sent; an empty list means all [HOOK-03]', async () => {
    const service = await open()
    const [some, all] = [
      await service.webhook({ events: ['connection_deleted'] }),
      await service.webhook({ events: [] }),
    ]
    const ids = await service.append(created, deleted, created, deleted)
    await all.receiver.take(4)
    await some.receiver.take(2)
    await all.becomes('running')
    expect(idsOf(all.receiver.all)).toEqual(ids)
    expect(idsOf(some.receiver.all)).toEqual([ids[1], ids[3]])
    expect(some.receiver.all.map(({ json }) => json['event'])).toEqual(['connection_deleted', 'connection_deleted'])
  })

  test('a changed list applies to later events', async () => {
    const service = await open()
    const hook = await service.webhook({ events: ['connection_deleted'] })
    await service.append(created)
    expect(await hook.change({ events: ['connection_created'] })).toMatchObject({ status: 200 })
    const [, second] = await service.append(deleted, created)
    expect(idsOf(await hook.receiver.take(1))).toEqual([second])
    expect(await hook.change({ events: [] })).toMatchObject({ status: 200 })
    const [third] = await service.append(deleted)
    await hook.receiver.take(2)
    expect(idsOf(hook.receiver.all)).toEqual([second, third])
  })

  test('the kind that is delivered decides, sent or drained, not the kind at the time of the change [HOOK-03]', async () => {
    const service = await world.service([{ slug: 'mail', type: 'email' }], { company })
    const person = await world.person()
    expect(await person.put('email', 'first@mara.example')).toMatchObject({ status: 200 })
    const linked = { slug: 'mail', kind: 'linked', text: 'first@mara.example', source: 'email' } as const
    const connectionId = await person.connected(service, [linked])
    await service.events(1)
    const updates = { events: ['field_updated', 'connection_deleted'] }
    const [sent, drained, deletions] = [
      await service.webhook(updates),
      await service.webhook(updates),
      await service.webhook({ events: ['field_deleted', 'connection_deleted'] }),
    ]
    for (const hook of [sent, drained, deletions]) await hook.post('pause')
    const shares = [{ service, connectionId, slug: 'mail' }]
    expect(await person.put('email', 'second@mara.example', shares)).toMatchObject({ status: 200 })
    await service.waitForValue(connectionId, 'mail', 'second@mara.example')
    expect(await person.calls('DELETE', `/api/contact-data/${person.field('email')}`)).toMatchObject({ status: 204 })
    await service.waitForValue(connectionId, 'mail', null)
    const [last] = await service.append(deleted)
    for (const hook of [sent, deletions]) await hook.post('resume')
    await deletions.receiver.take(2)
    await sent.receiver.take(1)
    await sent.becomes('running')
    expect(deletions.receiver.all.map(({ json }) => json['event'])).toEqual(['field_deleted', 'connection_deleted'])
    expect(sent.receiver.all.map(({ json }) => json['event'])).toEqual(['connection_deleted'])
    for (const attempt of ['once', 'again']) {
      const path = `/api/company-data/changes?webhook_id=${drained.id}&attempt_id=page`
      const { body } = await service.data('GET', path)
      expect({ attempt, body }).toMatchObject({ attempt, body: { changes: [{ id: last }], has_more: false } })
    }
  })
})

describe('disabled', () => {
  test('nothing is sent and nothing is queued; events after enabling are sent [HOOK-07]', async () => {
    const service = await open()
    const [hook, witness] = [await service.webhook({ enabled: false }), await service.webhook()]
    await service.append({}, {}, {})
    await witness.receiver.take(3)
    expect(await hook.health()).toMatchObject({ state: 'running', backlog_count: 0, backlog_oldest_at: null })
    await hook.change({ enabled: true })
    const [later] = await service.append({})
    await hook.receiver.take(1)
    await hook.change({ enabled: false })
    await service.append({}, {})
    await witness.receiver.take(6)
    expect(idsOf(hook.receiver.all)).toEqual([later])
    expect(await service.data('GET', `/api/company-data/changes?webhook_id=${hook.id}`)).toMatchObject({
      status: 200,
      body: { changes: [] },
    })
  })

  test('at the level free webhooks behave as disabled, and their settings stay', async () => {
    const service = await open()
    const hook = await service.webhook()
    await company.setLevel('free')
    await service.append({}, {})
    expect(await hook.read()).toMatchObject({ enabled: true, health: { state: 'running', backlog_count: 0 } })
    await company.setLevel('basic')
    const [later] = await service.append({})
    await hook.receiver.take(1)
    expect(idsOf(hook.receiver.all)).toEqual([later])
    await company.setLevel('pro')
  })

  test('a webhook that is disabled and enabled at the level free sends nothing before the level changes', async () => {
    const service = await open()
    const hook = await service.webhook()
    await company.setLevel('free')
    await hook.change({ enabled: false })
    await hook.change({ enabled: true })
    await service.append({})
    expect(await hook.health()).toMatchObject({ backlog_count: 0 })
    await company.setLevel('pro')
    const [later] = await service.append({})
    await hook.receiver.take(1)
    expect(idsOf(hook.receiver.all)).toEqual([later])
  })
})

test('the deletion of a webhook discards its backlog: it can neither be drained nor sent [HOOK-30]', async () => {
  const service = await open()
  const [hook, witness] = [await service.webhook(), await service.webhook()]
  hook.receiver.behave(() => 500)
  await service.append({}, {}, {})
  await hook.becomes('bad')
  expect(await hook.health()).toMatchObject({ backlog_count: 3 })
  expect((await service.portal('DELETE', hook.path)).status).toBe(204)
  expect(await service.data('GET', `/api/company-data/changes?webhook_id=${hook.id}`)).toMatchObject({
    status: 404,
    body: { error_key: 'services.webhook_not_found' },
  })
  hook.receiver.behave(() => 200)
  world.clock.advance(1_200_000)
  await service.append({})
  await witness.receiver.take(4)
  expect(hook.receiver.all).toHaveLength(1)
})

test('the log of the service has states and changed settings by name, never a value [HOOK-31] [SERVICE-13]', async () => {
  const service = await open()
  const hook = await service.webhook({ auth_type: 'bearer', auth_token: 'planted-token-1234' })
  hook.receiver.behave(() => 503)
  await service.append({})
  await hook.becomes('bad')
  hook.receiver.behave(() => 200)
  await hook.post('probe')
  await hook.becomes('running')
  await hook.change({ auth_type: 'bearer', auth_token: 'planted-token-5678', format: 'xml' })
  await hook.post('pause')
  await hook.post('resume')
  expect((await service.portal('DELETE', hook.path)).status).toBe(204)
  const logs = await service.portal('GET', `${service.path}/logs?type=webhook`)
  expect(logs.body['items']).toMatchObject(
    [
      { message: 'A webhook was made', metadata: { action: 'webhooks.create', webhook_id: hook.id } },
      {
        message: 'The webhook failed: its events wait until a probe succeeds',
        metadata: { from: 'running', to: 'bad' },
      },
      { message: 'A probe of a webhook was asked for' },
      { message: 'The webhook is being probed', metadata: { from: 'bad', to: 'unknown' } },
      { message: 'The webhook runs: its endpoint answers', metadata: { from: 'unknown', to: 'running' } },
      { message: 'The configuration of a webhook was changed', metadata: { changed: ['format', 'auth_token'] } },
      { message: 'A webhook was paused: its events are queued and not sent' },
      { message: 'A paused webhook is sent to again' },
      { message: 'A webhook was deleted with its backlog', metadata: { webhook_id: hook.id } },
    ].toReversed(),
  )
  expect(logs.text).not.toContain('planted')
})

test('the last error is answered until deliveries succeed again', async () => {
  const service = await open()
  const hook = await service.webhook()
  hook.receiver.behave(() => 503)
  await service.append({})
  await hook.becomes('bad')
  expect(String((await hook.health())['last_error'])).toContain('503')
  hook.receiver.behave(() => 200)
  await hook.post('probe')
  await expect.poll(() => hook.health(), { timeout: scaled(20_000) }).toMatchObject({ last_error: null })
  await hook.becomes('running')
})
