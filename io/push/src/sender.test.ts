import { openEgress, socketDialer } from '@sealpost/egress'
import { instant, Secret } from '@sealpost/kernel'
import { type PushSink, startPushSink } from '@sealpost/testkit/push-sink'
import { afterAll, expect, test } from 'vitest'
import { openPush, outcomeOf, type PushSender } from './sender.ts'
import { pushSettings } from './settings.ts'
import { makeVapidKey, readVapidKey } from './vapid.ts'

const NOW = instant(Date.UTC(2026, 4, 1, 9, 30))
const clock = { now: () => NOW }
const key = makeVapidKey()
const sink = await startPushSink(() => NOW)
afterAll(() => sink.close())

function sender(allowPrivateTargets = true): PushSender {
  const dialer = socketDialer({ trustedCertificates: [sink.certificate] })
  const egress = openEgress({
    policy: { allowPrivateTargets },
    clock: { now: () => instant(performance.now()) },
    dialer,
  })
  const push = openPush({ VAPID_KEY: new Secret(key), VAPID_SUBJECT: 'mailto:op@example.com' }, { egress, clock })
  if (push === null) throw new Error('a key was given')
  return push
}

function targetOf({ endpoint, keys }: ReturnType<PushSink['subscribe']>) {
  return { endpoint, p256dh: Buffer.from(keys.p256dh, 'base64url'), auth: Buffer.from(keys.auth, 'base64url') }
}

const message = { text: '{"kind":"challenge_raised"}', ttlSeconds: 120, urgency: 'high', topic: 'abc' } as const

test('a browser opens the message, and its push service verifies the sender', async () => {
  const push = sender()
  const browser = sink.subscribe()
  expect(await push.send(targetOf(browser), message)).toEqual({ kind: 'accepted' })
  expect(sink.taken.at(-1)).toMatchObject({
    endpoint: browser.endpoint,
    text: message.text,
    ttl: '120',
    urgency: 'high',
    topic: 'abc',
    key: push.publicKey,
    claims: { aud: new URL(browser.endpoint).origin, sub: 'mailto:op@example.com', exp: NOW / 1000 + 43_200 },
  })
})

test('all messages have one size', async () => {
  const push = sender()
  const target = targetOf(sink.subscribe())
  for (const text of ['', 'x', 'x'.repeat(500)]) await push.send(target, { ...message, text })
  const sizes = sink.taken.slice(-3).map(({ bytes }) => bytes)
  expect(new Set(sizes).size).toBe(1)
  expect(sink.taken.slice(-3).map(({ text }) => text.length)).toEqual([0, 1, 500])
})

test.each([
  [201, undefined, { kind: 'accepted' }],
  [404, undefined, { kind: 'gone' }],
  [410, undefined, { kind: 'gone' }],
  [400, undefined, { kind: 'refused', reason: 'status 400' }],
  [403, undefined, { kind: 'refused', reason: 'status 403' }],
  [429, '30', { kind: 'failed', reason: 'status 429', retryAfterSeconds: 30 }],
  [503, '99999', { kind: 'failed', reason: 'status 503', retryAfterSeconds: 3600 }],
  [500, 'tomorrow', { kind: 'failed', reason: 'status 500', retryAfterSeconds: null }],
])('status %s with Retry-After %s', (status, retryAfter, outcome) => {
  expect(outcomeOf(status, retryAfter)).toEqual(outcome)
})

test('an ended subscription is gone, and an address of our own network is refused without a request', async () => {
  const browser = sink.subscribe()
  sink.answerWith(browser.endpoint, 410)
  expect(await sender().send(targetOf(browser), message)).toEqual({ kind: 'gone' })
  const before = sink.taken.length + sink.refused()
  expect(await sender(false).send(targetOf(sink.subscribe()), message)).toMatchObject({ kind: 'refused' })
  expect(sink.taken.length + sink.refused()).toBe(before)
})

test('keys are read as they are made; other texts, and a key without a subject, are refused', () => {
  expect(readVapidKey(key).publicKey).toHaveLength(87)
  for (const text of ['x', 'A'.repeat(43)]) expect(() => pushSettings.VAPID_KEY.parse(text)).toThrow()
  const egress = openEgress({ policy: {}, clock })
  expect(() => openPush({ VAPID_KEY: new Secret(key), VAPID_SUBJECT: '' }, { egress, clock })).toThrow('VAPID_SUBJECT')
  expect(openPush({ VAPID_KEY: new Secret(''), VAPID_SUBJECT: '' }, { egress, clock })).toBeNull()
})
