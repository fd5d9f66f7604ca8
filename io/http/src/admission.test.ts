import { ApiError } from '@sealpost/protocol'
import { quietTelemetry } from '@sealpost/telemetry'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Admission, openAdmission } from './admission.ts'
import { URGENCIES, type Urgency } from './urgency.ts'
import type { Place } from './waiting-lines.ts'

const LIMITS = { working: 1, workMs: 250, waiting: 5, burstMs: 1000, standingMs: 50 }
const WORKING = { key: 'working' }
const WAITING = { key: 'waiting' }
const REFUSED = { key: 'platform.busy', status: 503, retryAfterSeconds: 1 }

const state = { nowMs: 0, isAtLimit: true }
let admission: Admission

beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(state, { nowMs: 1000, isAtLimit: true })
  const sensor = { nowMs: () => state.nowMs, isAtLimit: () => state.isAtLimit }
  admission = openAdmission(LIMITS, sensor, quietTelemetry())
})
afterEach(() => {
  vi.useRealTimers()
})

interface Caller {
  readonly place: Place
  outcome: object
}

function call(urgency: Urgency = 'read'): Caller {
  const { place, admitted } = admission.enter(urgency)
  const caller: Caller = { place, outcome: admitted === null ? WORKING : WAITING }
  admitted?.then(
    () => (caller.outcome = WORKING),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      const { key, status, retryAfterSeconds } = error
      caller.outcome = { key, status, retryAfterSeconds }
    },
  )
  return caller
}

/** The time passes, and the process looks at those who wait. */
async function pass(ms: number): Promise<void> {
  state.nowMs += ms
  await vi.advanceTimersByTimeAsync(25)
}

/** The call whose work ends makes room for another one. */
async function end({ place }: Caller): Promise<void> {
  place.leave()
  await vi.advanceTimersByTimeAsync(0)
}

/** More calls than the line holds; answers the one that is worked on, and the youngest that waits. */
function overload(): { readonly working: Caller; readonly youngest: Caller } {
  const [working, ...others] = Array.from({ length: LIMITS.waiting + 2 }, () => call())
  const youngest = others.at(-1)
  if (working === undefined || youngest === undefined) throw new Error('no calls')
  return { working, youngest }
}

test('a process that has time left begins every call', () => {
  state.isAtLimit = false
  expect([call(), call(), call()].map(({ outcome }) => outcome)).toEqual([WORKING, WORKING, WORKING])
})

test('a process at its limit works on a few calls, and a burst waits in the order of arrival', async () => {
  const [first, second, third] = [call(), call(), call()]
  await pass(150)
  expect([first.outcome, second.outcome, third.outcome]).toEqual([WORKING, WAITING, WAITING])
  await end(first)
  expect([second.outcome, third.outcome]).toEqual([WORKING, WAITING])
  await end(first)
  expect(third.outcome).toEqual(WAITING)
  await end(second)
  expect(third.outcome).toEqual(WORKING)
})

test('who waits goes on when the process has time again', async () => {
  const [, second, third] = [call(), call(), call()]
  state.isAtLimit = false
  await pass(25)
  expect([second.outcome, third.outcome]).toEqual([WORKING, WORKING])
})

test('the most urgent call is next', async () => {
  let working = call()
  const waiting = URGENCIES.toReversed().map((urgency) => call(urgency))
  for (const next of waiting.toReversed()) {
    expect(next.outcome).toEqual(WAITING)
    await end(working)
    expect(next.outcome).toEqual(WORKING)
    working = next
  }
})

test('a call that works for long, or waits for its body, makes room', async () => {
  call()
  const [second, third] = [call(), call()]
  await pass(249)
  expect(second.outcome).toEqual(WAITING)
  await pass(1)
  expect([second.outcome, third.outcome]).toEqual([WORKING, WAITING])
})

test('of calls beyond the line, the oldest of the least urgent ones is refused', async () => {
  call()
  const [login, write, other] = [call('login'), call('write'), call('write')]
  const reads = [call(), call(), call()]
  await vi.advanceTimersByTimeAsync(0)
  expect([write.outcome, other.outcome, login.outcome]).toEqual([REFUSED, WAITING, WAITING])
  expect(reads.map(({ outcome }) => outcome)).toEqual([WAITING, WAITING, WAITING])
})

test('in overload the newest call is next, and what has waited is refused', async () => {
  const { working, youngest } = overload()
  await pass(30)
  const [young, newest] = [call(), call()]
  await end(working)
  expect([youngest.outcome, young.outcome, newest.outcome]).toEqual([WAITING, WAITING, WORKING])
  await pass(30)
  expect([youngest.outcome, young.outcome]).toEqual([REFUSED, WAITING])
  await end(newest)
  expect(young.outcome).toEqual(WORKING)
})

test('calls that never cease to wait are overload, and those of a burst are not', async () => {
  let working = call()
  const waiting = [call(), call()]
  for (let passedMs = 0; passedMs <= LIMITS.burstMs + 200; passedMs += 100) {
    // One ends and one comes, so that each waits twice as long as it may in overload.
    await pass(100)
    await end(working)
    working = waiting.shift() ?? working
    if (passedMs < LIMITS.burstMs) expect(working.outcome).toEqual(WORKING)
    waiting.push(call())
  }
  expect(waiting.map(({ outcome }) => outcome)).toContainEqual(REFUSED)
})

test('overload is over when nothing was refused for as long as a burst may last', async () => {
  const { working } = overload()
  await pass(60)
  await end(working)
  state.nowMs += LIMITS.burstMs + 1
  const [first, second, third] = [call(), call(), call()]
  await pass(60)
  expect([first.outcome, second.outcome, third.outcome]).toEqual([WORKING, WAITING, WAITING])
  await end(first)
  expect([second.outcome, third.outcome]).toEqual([WORKING, WAITING])
})
