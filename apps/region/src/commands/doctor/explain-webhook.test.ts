import { instant, parseUuid, type RegionCode, type ServiceId, type UserId, type WebhookId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { QueueExplanation } from '../../modules/feed/index.ts'
import { explainWebhook, type WebhookFacts } from './explain-webhook.ts'
import { type LastFailure, meaningOf } from './failures.ts'

const DAY_MS = 86_400_000
const now = instant(Date.UTC(2026, 4, 10, 12))
const ago = (ms: number) => instant(now - ms)
const id = <T extends string>(last: number) => parseUuid<T>(`0196a8c4-5e6f-7a10-8b2c-00000000000${last}`) as T
const name = { companyId: id<UserId>(1), serviceId: id<ServiceId>(2), webhookId: id<WebhookId>(3) }

/** A running queue without pending events. */
const queue: QueueExplanation = {
  name,
  state: 'running',
  since: ago(3 * DAY_MS),
  flow: 'open',
  isPaused: false,
  isEnabled: true,
  isSuspended: false,
  dueAt: null,
  backlogCount: 0,
  backlogOldestAt: null,
  cursor: 7,
  lastNo: 7,
  parkedTo: 0,
  replayTo: 0,
  isLeased: false,
  leaseUntil: null,
  leasedPage: null,
  alertAt: null,
  purgedAt: null,
  token: 3,
  epoch: 1,
  kinds: null,
}
const pending = { backlogCount: 12, backlogOldestAt: ago(2 * DAY_MS), cursor: 7, lastNo: 19 } as const
const bad = { ...pending, state: 'bad', since: ago(300_000), dueAt: instant(now + 300_000), parkedTo: null } as const

function explain(members: Partial<QueueExplanation>, more: Partial<WebhookFacts> = {}): string {
  const endpoint = {
    name,
    url: 'https://hooks.example/in?token=hush',
    events: [],
    format: 'json',
    authType: 'hmac',
    encryptPayload: false,
    isEnabled: true,
    lastError: null,
    createdAt: ago(30 * DAY_MS),
  } as const
  const facts: WebhookFacts = {
    now,
    region: 'eu' as RegionCode,
    endpoint,
    queue: { ...queue, ...members },
    isWorkedOn: false,
    lastFailure: null,
    switches: { writesPaused: false, outOfOrder: false },
    ...more,
  }
  return explainWebhook(facts).join('\n')
}
const failing = (lastError: string, lastFailure: LastFailure | null = null) =>
  explain(bad, {
    lastFailure,
    endpoint: {
      name,
      url: 'https://hooks.example/in?token=hush',
      events: [],
      format: 'xml',
      authType: 'bearer',
      encryptPayload: true,
      isEnabled: true,
      lastError,
      createdAt: now,
    },
  })

test('a running webhook has no problem', () => {
  const text = explain({})
  expect(text).toContain('nothing waits:\n- it runs')
  expect(text).toContain('sends to https://hooks.example as json, authenticated by hmac')
  expect(text).not.toContain('what to do')
  expect(text).not.toContain('hush')
})

test('a failing endpoint: state and its time, error and its meaning, backlog, next probe, loss', () => {
  const text = failing('answered 503', { errorClass: 'status', httpStatus: 503, at: ago(300_000) })
  for (const part of [
    'state bad since 2026-05-10 11:55:00 UTC (5 min ago)',
    'backlog of 12, the oldest of 2026-05-08 12:00:00 UTC (2 days ago)',
    'data is lost from 2026-05-15 12:00:00 UTC on',
    'last error: answered 503 (2026-05-10 11:55:00 UTC)',
    'the receiver failed, or the proxy in front of it found none',
    'the next probe comes at 2026-05-10 12:05:00 UTC',
    'check the log of the receiver',
    'POST …/probe instead of waiting',
    'as xml, authenticated by bearer, encrypted',
  ]) {
    expect(text).toContain(part)
  }
  expect(text).not.toContain('no worker')
})

test.each([
  [200, 202, 'only 200 counts'],
  [300, 308, 'redirects, which is not followed'],
  [401, 403, 'does not accept our authentication'],
  [404, 410, 'no such path'],
  [429, 408, 'limits us'],
  [400, 422, 'does not accept the request'],
  [500, 599, 'the receiver failed'],
])('status %d and %d: %s', (one, other, words) => {
  for (const status of [one, other]) {
    if (status === 200) continue
    expect(failing(`answered ${status}`)).toContain(words)
    expect(failing('x', { errorClass: 'status', httpStatus: status, at: now })).toContain(words)
  }
})

test.each([
  ['refused', 'does not call such an address'],
  ['dns', 'host name does not exist'],
  ['connect', 'nothing listens there'],
  ['tls', 'certificate has expired'],
  ['timeout', 'longer than 10 seconds'],
  ['protocol', 'speaks no proper HTTP'],
  ['config', 'cannot be sent as it is set up'],
  ['aborted', 'this platform aborted it'],
  ['internal', 'a fault of this platform'],
])('a failure of the class %s: %s', (errorClass, words) => {
  const failure = { errorClass, httpStatus: null, at: now }
  expect(failing('x', failure)).toContain(words)
  expect(failing('x', failure)).toContain(meaningOf(failure, null)?.cure ?? 'missing')
})

test('an unknown failure still has a remedy', () => {
  const text = failing('something old')
  expect(text).toContain('its endpoint failed: something old')
  expect(text).toContain('make sure that the endpoint answers 200')
})

test('a webhook that is being probed', () => {
  expect(explain({ ...pending, state: 'unknown', dueAt: now }, { isWorkedOn: true })).toContain(
    'the next event is the probe',
  )
})

test.each([
  ['paused', { ...pending, flow: 'paused', isPaused: true }, {}, 'the company paused the webhook', '/resume'],
  ['disabled', { ...pending, flow: 'disabled', isEnabled: false }, {}, 'the company disabled the webhook', 'enabled'],
  [
    'level free',
    { ...pending, flow: 'disabled', isSuspended: true },
    {},
    'is free, which has no webhooks',
    'account:set-level',
  ],
  ['writes paused', pending, { writesPaused: true }, 'writes are paused in eu', 'platform:pause-writes off'],
  ['out of order', pending, { outOfOrder: true }, 'eu is out of order', 'platform:out-of-order off'],
  [
    'a manual drain',
    { ...pending, leasedPage: { until: instant(now + 60_000) } },
    {},
    'leased a page of the backlog until 2026-05-10 12:01:00',
    'manual drains or the webhook',
  ],
] as const)('%s', (_what, members, switched, why, cure) => {
  const switches = { writesPaused: false, outOfOrder: false, ...switched }
  const words = explain(members, { switches })
  expect(words).toContain(why)
  expect(words).toContain(cure)
  expect(words).not.toContain('no worker has taken it')
})

test('no worker runs: due, and not claimed between two reads', () => {
  const late = { ...pending, state: 'unknown', dueAt: ago(60_000) } as const
  const text = explain(late)
  expect(text).toContain('it is due since 2026-05-10 11:59:00 UTC and no worker has taken it')
  expect(text).toContain('worker in REGION_ROLES')
  expect(explain(late, { isWorkedOn: true })).not.toContain('no worker')
  expect(explain({ ...late, leaseUntil: ago(30_000) })).toContain('the worker that held it before has died')
  expect(explain({ ...bad, dueAt: ago(60_000) })).toContain('the next probe is due')
  expect(explain({ ...bad, dueAt: ago(60_000) })).toContain('no worker has taken it')
  expect(explain({ ...late, dueAt: ago(1000) })).not.toContain('no worker')
  expect(explain({ lastNo: 8 })).toContain('it is due and no worker has taken it')
})

test('a probe that waits for the check of the backlog’s age is not overdue, for some minutes', () => {
  const due = { ...bad, dueAt: ago(60_000), alertAt: ago(60_000) } as const
  expect(explain(due)).toContain('upkeep checks the age of its backlog first')
  expect(explain(due)).not.toContain('no worker')
  expect(explain({ ...due, alertAt: ago(400_000) })).toContain('no worker has taken it')
})

test('a queue that a worker holds is being sent', () => {
  const text = explain({ ...pending, isLeased: true, leaseUntil: instant(now + 25_000) }, { isWorkedOn: true })
  expect(text).toContain('a worker holds it until 2026-05-10 12:00:25 UTC')
  expect(text).not.toContain('what to do')
  expect(explain({ lastNo: 8 }, { isWorkedOn: true })).toContain('a worker is about to send')
})

test('lost events and subscribed kinds are listed', () => {
  expect(explain({ ...bad, purgedAt: ago(DAY_MS) })).toContain('events older than 7 days were lost')
  expect(explain({ kinds: ['field_updated', 'field_deleted'] })).toContain('takes field_updated, field_deleted')
})
