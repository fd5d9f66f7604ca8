import { expect, test } from 'vitest'
import { fakeTime, inTurn, optionsFor, refusal, startFrontDoor, startRegion } from '../../test/stub-platform.ts'
import type { Reply } from '../../test/stub-server.ts'
import { type ApprovalProgress, isSealpostError, ServiceClient } from '../index.ts'

const CHALLENGE = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const AT = '2026-05-01T00:01:00.000+00:00'
const EXPIRES = '2026-05-01T00:05:00.000+00:00'
const LOGIN = { shareCode: 'MARAXX', idempotencyKey: 'login-1', context: 'Login from Bern' }
const answer = (body: object): Reply => ({ status: 200, json: { ...body } })
const raised = answer({ challenge_id: CHALLENGE, status: 'pending', expires_at: EXPIRES, matching_digits: '42' })
const pending = answer({ status: 'pending', expires_at: EXPIRES })
const outcome = (status: string) => answer({ status, completed_at: AT })

/** The region raises a challenge, then gives these replies to the polls. */
async function approve(replies: readonly Reply[], signal?: AbortSignal) {
  const time = fakeTime()
  await using region = await startRegion(inTurn(raised, ...replies))
  await using frontDoor = await startFrontDoor(() => region.url)
  const client = new ServiceClient(optionsFor(frontDoor, time))
  const progress: ApprovalProgress[] = []
  const onProgress = (step: ApprovalProgress) => void progress.push(step)
  const options = signal === undefined ? {} : { signal }
  const approval = await client.twofa.approveLogin({ ...LOGIN, onProgress }, options)
  return { approval, progress: progress.map(({ kind }) => kind), first: progress[0], received: region.received, time }
}

test('a login is granted on approved, with the digits for its page [SDK-11]', async () => {
  const { approval, first, progress, received } = await approve([pending, pending, outcome('approved')])
  expect(approval).toEqual({ isApproved: true, challengeId: CHALLENGE, completedAt: AT })
  expect(first).toEqual({ kind: 'raised', challengeId: CHALLENGE, expiresAt: EXPIRES, matchingDigits: '42' })
  expect(progress).toEqual(['raised', 'pending', 'pending'])
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    share_code: 'MARAXX',
    idempotency_key: 'login-1',
    context: 'Login from Bern',
  })
})

test('every other outcome refuses, also an unknown one [SDK-11]', async () => {
  for (const status of ['denied', 'expired', 'revoked']) {
    expect((await approve([outcome(status)])).approval).toMatchObject({ isApproved: false, reason: status })
  }
  for (const odd of [outcome('granted'), outcome('APPROVED'), answer({ status: 'approved' })]) {
    expect((await approve([odd])).approval).toMatchObject({ isApproved: false, reason: 'unclear' })
  }
  for (const [status, key] of [
    [410, 'twofa.result_consumed'],
    [404, 'twofa.challenge_not_found'],
  ] as const) {
    expect((await approve([refusal(status, key)])).approval).toMatchObject({ isApproved: false, reason: 'unclear' })
  }
})

test('a 503 is no outcome: it polls on until one, or until the challenge has expired [SDK-12]', async () => {
  const unavailable = refusal(503, 'twofa.unavailable')
  const some = await approve([...Array.from({ length: 9 }, () => unavailable), outcome('approved')])
  expect(some.approval.isApproved).toBe(true)
  expect(some.progress).toContain('no_answer')
  const none = await approve(Array.from({ length: 400 }, () => unavailable))
  expect(none.approval).toMatchObject({ isApproved: false, reason: 'unclear' })
  expect(none.time.clock.now()).toBeGreaterThanOrEqual(Date.parse(EXPIRES))
})

test('too many open challenges are reported at once, not retried [SDK-13]', async () => {
  const time = fakeTime()
  await using region = await startRegion(() => refusal(429, 'twofa.pending_cap'))
  await using frontDoor = await startFrontDoor(() => region.url)
  const client = new ServiceClient(optionsFor(frontDoor, time))
  const error: unknown = await client.twofa.approveLogin(LOGIN).catch((caught: unknown) => caught)
  expect(isSealpostError(error, 'twofa.pending_cap')).toBe(true)
  expect([region.received.length, time.waitedSeconds]).toEqual([1, []])
})

test('an abort ends the wait with its reason', async () => {
  const controller = new AbortController()
  const reason = new Error('the browser went away')
  controller.abort(reason)
  await expect(approve([pending], controller.signal)).rejects.toBe(reason)
})
