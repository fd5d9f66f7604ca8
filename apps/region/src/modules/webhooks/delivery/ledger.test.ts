import type { ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { quietTelemetry } from '@sealpost/telemetry'
import { fixedClock, fixedIds } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openLedger, type Outcome } from './ledger.ts'

const clock = fixedClock()
const ids = fixedIds(clock)

function outcome(): Outcome {
  const name = { companyId: ids.uuid<UserId>(), serviceId: ids.uuid<ServiceId>(), webhookId: ids.uuid<WebhookId>() }
  const report = { name, channel: 1, token: 1, epoch: 1, sent: null, end: null, isRelease: true }
  return { report, delivery: null, error: null }
}

test('a process that ends does not wait for the database once for each outcome that was set apart', async () => {
  let nowMs = 0
  let attempts = 0
  const database = {
    async transaction() {
      attempts += 1
      // Refused twice by one that answers; after that nobody answers, which takes its time to be known.
      if (attempts === 3) ledger.hurry()
      if (attempts >= 3) nowMs += 10_000
      throw new Error('refused')
    },
    read: async () => undefined,
  } as unknown as Database
  const needs = { database, clock, ids, telemetry: quietTelemetry(), graceMs: 1, monotonicMs: () => nowMs }
  const ledger = openLedger(needs, { attempted() {}, left() {}, settled() {} })
  const waits = Array.from({ length: 20 }, () => ledger.settle(outcome(), 1_000_000))
  expect(await Promise.all(waits)).toEqual(waits.map(() => null))
  await ledger.drained()
  expect(attempts).toBe(3)
})
