import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { renderMail } from './index.ts'
import type { StaleWebhook } from './templates.ts'

const webhook: StaleWebhook = {
  service: 'Rentals',
  webhookId: '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182',
  host: 'hooks.example',
  waiting: 12,
  oldestAt: instant(Date.UTC(2026, 4, 1, 9, 30)),
  lossAt: instant(Date.UTC(2026, 4, 8, 9, 30)),
  lost: 0,
  cause: 'failing',
  since: instant(Date.UTC(2026, 4, 3, 9, 25)),
  lastError: 'answered 503',
  nextMail: 'day',
}

test('a mail names the webhook, the time, the number of events, the cause, the remedy and the time of loss', () => {
  const { subject, text } = renderMail('webhook_stale', webhook, 'en')
  expect(subject).toBe('Events wait for your webhook at hooks.example')
  for (const part of [
    '12 events of your service Rentals wait',
    'the oldest since 2026-05-01 09:30 UTC',
    'Why: its endpoint fails, last at 2026-05-03 09:25 UTC: answered 503.',
    'What to do: see that the endpoint answers 200',
    'data is lost from 2026-05-08 09:30 UTC on',
    'once a day',
    webhook.webhookId,
  ]) {
    expect(text).toContain(part)
  }
  expect(text).not.toContain('removed meanwhile')
  const later = renderMail('webhook_stale', { ...webhook, waiting: 1, lost: 1, nextMail: 'hour' }, 'en').text
  expect(later).toContain('One event of your service Rentals waits')
  expect(later).toContain('One event older than 7 days was removed meanwhile')
  expect(later).toContain('once an hour')
})

test('a mail about lost events names their number, what is left and the remedy', () => {
  const { subject, text } = renderMail('webhook_purged', { ...webhook, lost: 3 }, 'en')
  expect(subject).toBe('Events for your webhook at hooks.example were lost')
  expect(text).toContain('3 events of your service Rentals could not be delivered')
  expect(text).toContain('12 events still wait')
  expect(text).toContain('read your connections and documents again')
  const nothingLeft = { ...webhook, lost: 1, waiting: 0, oldestAt: null, lossAt: null }
  expect(renderMail('webhook_purged', nothingLeft, 'en').text).toContain('Nothing else waits.')
})

test.each(['failing', 'probing', 'paused', 'disabled', 'suspended', 'waiting', 'over'] as const)(
  '%s has a reason and a way out of its own',
  (cause) => {
    const { text } = renderMail('webhook_stale', { ...webhook, cause, lastError: null }, 'en')
    expect(text).toMatch(/^Why: .{20,}$/m)
    expect(text).toMatch(/^What to do: .{20,}$/m)
    expect(text).not.toContain('null')
  },
)
