import { parseUuid, type UserId, type WebhookId } from '@sealpost/kernel'
import { recordingTelemetry } from '@sealpost/telemetry'
import { beforeEach, expect, test } from 'vitest'
import { type FailureLog, openFailureLog } from './failure-log.ts'

const MINUTE_MS = 60_000
const companyId = parseUuid<UserId>('019a0000-0000-7000-8000-00000000000c') ?? expect.fail()
const telemetry = recordingTelemetry()
let nowMs = 0
let failures: FailureLog

beforeEach(() => {
  telemetry.clear()
  nowMs = 1_000_000
  failures = openFailureLog(telemetry.log, () => nowMs)
})

function webhook(no: number): WebhookId {
  return parseUuid<WebhookId>(`019a0000-0000-7000-8000-${String(no).padStart(12, '0')}`) ?? expect.fail()
}

function fail(webhookId = webhook(1)): void {
  const attempt = { errorClass: 'status', httpStatus: 503 } as const
  failures.failed({ name: { companyId, webhookId }, event: 'field_updated', kind: 'live', attempt })
}

test('a failed delivery writes a line with webhook, company, event, class and attempt', () => {
  fail()
  expect(telemetry.lines()).toMatchObject([
    {
      level: 'warn',
      msg: 'a webhook delivery failed',
      webhook_id: webhook(1),
      company_id: companyId,
      event: 'field_updated',
      mode: 'live',
      error_class: 'status',
      status: 503,
      attempt: 1,
      unlogged: 0,
    },
  ])
})

test('a receiver that stays away writes one line a minute, with the number of failures between', () => {
  for (let turn = 0; turn < 5; turn += 1) fail()
  expect(telemetry.lines()).toHaveLength(1)
  nowMs += MINUTE_MS
  fail()
  expect(telemetry.lines().at(-1)).toMatchObject({ attempt: 6, unlogged: 4 })
  expect(telemetry.lines()).toHaveLength(2)
})

test('attempts are counted anew after a delivery; a receiver that fails now and then writes no more lines', () => {
  fail()
  failures.delivered(webhook(1))
  fail()
  expect(telemetry.lines()).toHaveLength(1)
  nowMs += MINUTE_MS
  fail()
  expect(telemetry.lines().at(-1)).toMatchObject({ attempt: 2, unlogged: 1 })
})

test('all webhooks together write at most 60 lines a minute', () => {
  for (let no = 1; no <= 100; no += 1) fail(webhook(no))
  expect(telemetry.lines()).toHaveLength(60)
  nowMs += MINUTE_MS
  fail(webhook(100))
  expect(telemetry.lines().at(-1)).toMatchObject({ webhook_id: webhook(100), attempt: 2, unlogged: 1 })
})
