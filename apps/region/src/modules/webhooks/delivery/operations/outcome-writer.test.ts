import type { ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { quietTelemetry } from '@sealpost/telemetry'
import { fixedClock, fixedIds } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openOutcomeWriter, type Outcome } from './outcome-writer.ts'

const clock = fixedClock()
const ids = fixedIds(clock)

function outcome(): Outcome {
  const name = { companyId: ids.uuid<UserId>(), serviceId: ids.uuid<ServiceId>(), webhookId: ids.uuid<WebhookId>() }
  const report = { name, channel: 1, token: 1, epoch: 1, sent: null, end: null, isRelease: true }
  return { report, delivery: null, error: null }
}

test('a process that ends does not wait for the database once per outcome', async () => {
  let nowMs = 0
  let attempts = 0
  const database = {
    async transaction() {
      attempts += 1
      // The database refuses twice and is then unreachable, which takes a time-out to notice.
      if (attempts === 3) writer.hurry()
      if (attempts >= 3) nowMs += 10_000
      throw new Error('refused')
    },
    read: async () => undefined,
  } as unknown as Database
  const { log } = quietTelemetry()
  const metrics = { attempted() {}, left() {}, written() {} }
  const writer = openOutcomeWriter({ database, clock, ids, log, metrics, probeDelayMs: 1, monotonicMs: () => nowMs })
  const waits = Array.from({ length: 20 }, () => writer.write(outcome(), 1_000_000))
  expect(await Promise.all(waits)).toEqual(waits.map(() => null))
  await writer.drained()
  expect(attempts).toBe(3)
})
