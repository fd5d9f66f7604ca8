import { instant, parseUuid, type RegionCode, type ServiceId, type UserId, type WebhookId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { OutletExplained } from '../modules/feed/index.ts'
import { explainWebhook, type WebhookFacts } from './explain-webhook.ts'
import { type LastFailure, meaningOf } from './failures.ts'

const DAY_MS = 86_400_000
const now = instant(Date.UTC(2026, 4, 10, 12))
const ago = (ms: number) => instant(now - ms)
const id = <T extends string>(last: number) => parseUuid<T>(`0196a8c4-5e6f-7a10-8b2c-00000000000${last}`) as T
const name = { companyId: id<UserId>(1), serviceId: id<ServiceId>(2), webhookId: id<WebhookId>(3) }

/** Runs, and nothing waits. */
const outlet: OutletExplained = {
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
  heldPage: null,
  alertAt: null,
  purgedAt: null,
  token: 3,
  epoch: 1,
  kinds: null,
}
const waits = { backlogCount: 12, backlogOldestAt: ago(2 * DAY_MS), cursor: 7, lastNo: 19 } as const
const bad = { ...waits, state: 'bad', since: ago(300_000), dueAt: instant(now + 300_000), parkedTo: null } as const

function explain(told: Partial<OutletExplained>, more: Partial<WebhookFacts> = {}): string {
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
    outlet: { ...outlet, ...told },
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

test('a webhook that runs has nothing wrong with it', () => {
  const told = explain({})
  expect(told).toContain('nothing waits:\n- it runs')
  expect(told).toContain('sends to https://hooks.example as json, authenticated by hmac')
  expect(told).not.toContain('what to do')
  expect(told).not.toContain('hush')
})

test('a failing endpoint: state, since when, the error, what it means, the backlog, the next probe, the loss', () => {
  const told = failing('answered 503', { errorClass: 'status', httpStatus: 503, at: ago(300_000) })
  for (const part of [
    'state bad since 2026-05-10 11:55:00 UTC (5 min ago)',
    'backlog of 12, the oldest of 2026-05-08 12:00:00 UTC (2 days ago)',
    'data is lost from 2026-05-15 12:00:00 UTC on',
    'last error: answered 503 (2026-05-10 11:55:00 UTC)',
    'the receiver failed, or the proxy in front of it found none',
    'the next probe comes at 2026-05-10 12:05:00 UTC',
    'look into the log of the receiver',
    'POST …/probe instead of waiting',
    'as xml, authenticated by bearer, encrypted',
  ]) {
    expect(told).toContain(part)
  }
  expect(told).not.toContain('no worker')
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
  ['aborted', 'gave it up ourselves'],
  ['internal', 'a fault of this platform'],
])('a failure of the class %s: %s', (errorClass, words) => {
  const failure = { errorClass, httpStatus: null, at: now }
  expect(failing('x', failure)).toContain(words)
  expect(failing('x', failure)).toContain(meaningOf(failure, null)?.cure ?? 'missing')
})

test('a failure that nothing is known of any more still has a way on', () => {
  const told = failing('something old')
  expect(told).toContain('its endpoint failed: something old')
  expect(told).toContain('see that the endpoint answers 200')
})

test('one that is being tried again', () => {
  expect(explain({ ...waits, state: 'unknown', dueAt: now }, { isWorkedOn: true })).toContain(
    'the next event is the probe',
  )
})

test.each([
  ['paused', { ...waits, flow: 'paused', isPaused: true }, {}, 'the company paused the webhook', '/resume'],
  [
    'switched off',
    { ...waits, flow: 'disabled', isEnabled: false },
    {},
    'the company switched the webhook off',
    'enabled',
  ],
  [
    'level free',
    { ...waits, flow: 'disabled', isSuspended: true },
    {},
    'is free, which has no webhooks',
    'account:set-level',
  ],
  ['writes paused', waits, { writesPaused: true }, 'writes are paused in eu', 'platform:pause-writes off'],
  ['out of order', waits, { outOfOrder: true }, 'eu is out of order', 'platform:out-of-order off'],
  [
    'drained by hand',
    { ...waits, heldPage: { until: instant(now + 60_000) } },
    {},
    'holds a page until 2026-05-10 12:01:00',
    'by hand or by webhook',
  ],
] as const)('%s', (_what, told, switched, why, cure) => {
  const switches = { writesPaused: false, outOfOrder: false, ...switched }
  const words = explain(told, { switches })
  expect(words).toContain(why)
  expect(words).toContain(cure)
  expect(words).not.toContain('no worker has taken it')
})

test('no worker runs: due, and nobody takes it between two looks', () => {
  const late = { ...waits, state: 'unknown', dueAt: ago(60_000) } as const
  const told = explain(late)
  expect(told).toContain('it is due since 2026-05-10 11:59:00 UTC and no worker has taken it')
  expect(told).toContain('worker in REGION_ROLES')
  expect(explain(late, { isWorkedOn: true })).not.toContain('no worker')
  expect(explain({ ...late, leaseUntil: ago(30_000) })).toContain('the worker that held it before has died')
  expect(explain({ ...bad, dueAt: ago(60_000) })).toContain('the next probe is due')
  expect(explain({ ...bad, dueAt: ago(60_000) })).toContain('no worker has taken it')
  expect(explain({ ...late, dueAt: ago(1000) })).not.toContain('no worker')
  expect(explain({ lastNo: 8 })).toContain('it is due and no worker has taken it')
})

test('a probe that waits until the age of the backlog was looked at is not overdue, for some minutes', () => {
  const due = { ...bad, dueAt: ago(60_000), alertAt: ago(60_000) } as const
  expect(explain(due)).toContain('upkeep looks at the age of its backlog first')
  expect(explain(due)).not.toContain('no worker')
  expect(explain({ ...due, alertAt: ago(400_000) })).toContain('no worker has taken it')
})

test('a worker that holds it is sending', () => {
  const told = explain({ ...waits, isLeased: true, leaseUntil: instant(now + 25_000) }, { isWorkedOn: true })
  expect(told).toContain('a worker holds it until 2026-05-10 12:00:25 UTC')
  expect(told).not.toContain('what to do')
  expect(explain({ lastNo: 8 }, { isWorkedOn: true })).toContain('a worker is about to send')
})

test('what is lost already is said', () => {
  expect(explain({ ...bad, purgedAt: ago(DAY_MS) })).toContain('events older than 7 days were lost')
  expect(explain({ kinds: ['field_updated', 'field_deleted'] })).toContain('takes field_updated, field_deleted')
})
