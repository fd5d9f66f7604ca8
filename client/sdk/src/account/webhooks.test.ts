import { expect, test } from 'vitest'
import { optionsFor, startFrontDoor, startRegion } from '../../test/stub-platform.ts'
import type { Received } from '../../test/stub-server.ts'
import { AccountClient } from '../index.ts'

const SERVICE = '0196a8c4-5e6f-7a10-8b2c-000000000001'
const HOOK = '0196a8c4-5e6f-7a10-8b2c-000000000002'
const AT = `/api/services/${SERVICE}/webhooks`

const record = {
  id: HOOK,
  url: 'https://receiver.example/hooks',
  events: [],
  format: 'json',
  auth_type: 'hmac',
  encrypt_payload: false,
  enabled: true,
  hmac_secret: '••••wxyz',
  auth_token: null,
  auth_username: null,
  auth_password: null,
  auth_header_name: null,
  auth_header_value: null,
  created_at: '2026-05-01T09:30:00.000+00:00',
  paused: false,
  health: {
    state: 'running',
    since: '2026-05-01T09:30:00.000+00:00',
    backlog_count: 0,
    backlog_oldest_at: null,
    last_error: null,
  },
} as const

function answerTo({ method, path }: Received): object | null {
  const [route = ''] = path.split('?')
  if (method === 'DELETE') return null
  if (route.endsWith('/deliveries') || (route === AT && method === 'GET')) {
    return { total: 1, items: [record], next_cursor: null }
  }
  if (route.endsWith('/test')) return { http_status: 200, duration_ms: 7, error_class: null }
  if (route.endsWith('/replay')) return { queued: 3 }
  if (route.endsWith('/regenerate-hmac-secret')) return { hmac_secret_once: 'whsec_new', previous_valid_until: null }
  return { ...record, hmac_secret_once: null }
}

function statusOf({ method, path }: Received): number {
  if (method === 'DELETE') return 204
  if (method === 'POST' && path === AT) return 201
  return path.endsWith('/replay') ? 202 : 200
}

test('every method of a webhook is one call to its route with its input', async () => {
  const seen: Received[] = []
  await using region = await startRegion((received) => {
    seen.push(received)
    const json = answerTo(received)
    return json === null ? { status: 204 } : { status: statusOf(received), json }
  })
  await using frontDoor = await startFrontDoor(() => region.url)
  const { webhooks } = new AccountClient(optionsFor(frontDoor))
  const settings = { url: record.url, events: ['field_updated'], auth_type: 'hmac' } as const

  const listed = []
  for await (const hook of webhooks.list(SERVICE)) listed.push(hook.id)
  await webhooks.create(SERVICE, settings)
  await webhooks.read(SERVICE, HOOK)
  await webhooks.change(SERVICE, HOOK, settings)
  await webhooks.regenerateSecret(SERVICE, HOOK, { graceSeconds: 60 })
  await webhooks.pause(SERVICE, HOOK)
  await webhooks.resume(SERVICE, HOOK)
  await webhooks.probe(SERVICE, HOOK)
  const tested = await webhooks.test(SERVICE, HOOK)
  const replayed = await webhooks.replay(SERVICE, HOOK, { since: new Date('2026-05-01T09:30:00Z') })
  for await (const delivery of webhooks.deliveries(SERVICE, HOOK)) listed.push(delivery.id)
  await webhooks.delete(SERVICE, HOOK)

  expect(listed).toEqual([HOOK, HOOK])
  expect([tested.http_status, replayed.queued]).toEqual([200, 3])
  const one = `${AT}/${HOOK}`
  expect(seen.map(({ method, path }) => `${method} ${path.split('?')[0] ?? ''}`)).toEqual([
    `GET ${AT}`,
    `POST ${AT}`,
    `GET ${one}`,
    `PUT ${one}`,
    `POST ${one}/regenerate-hmac-secret`,
    `POST ${one}/pause`,
    `POST ${one}/resume`,
    `POST ${one}/probe`,
    `POST ${one}/test`,
    `POST ${one}/replay`,
    `GET ${one}/deliveries`,
    `DELETE ${one}`,
  ])
  const bodies = seen.map(({ body }) => body)
  expect(bodies[1]).toBe(JSON.stringify(settings))
  expect(bodies[4]).toBe('{"grace_seconds":60}')
  expect(bodies[9]).toBe('{"since":"2026-05-01T09:30:00.000Z"}')
})
