import { WAKE_LASTS_MS } from '@sealpost/postgres'
import { quietTelemetry } from '@sealpost/telemetry'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { DUE_QUEUES } from '../../../feed/index.ts'
import { startPoll } from './poll.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => void vi.useRealTimers()
})

/** A poll on a clock of its own, that has claimed once; commits of this process and of others wake it. */
async function openPoll() {
  const state = { claims: 0, isSending: false, isListening: true }
  const wakes: Record<'own' | 'others', () => void> = { own: () => {}, others: () => {} }
  const platform = {
    log: quietTelemetry().log,
    monotonicMs: () => performance.now(),
    database: { onWake: (channel: string, wake: () => void) => void (channel === DUE_QUEUES && (wakes.own = wake)) },
    onNotify: async (channel: string, wake: () => void) => {
      if (channel === DUE_QUEUES) wakes.others = wake
      return { close: async () => void (state.isListening = false) }
    },
  } as unknown as Parameters<typeof startPoll>[0]
  const poll = await startPoll(platform, {
    claim: async () => {
      state.claims += 1
      return false
    },
    isSending: () => state.isSending,
  })
  onTestFinished(() => poll.close())
  /** Claims within so many milliseconds. */
  const claimsIn = async (ms: number): Promise<number> => {
    const before = state.claims
    await vi.advanceTimersByTimeAsync(ms)
    return state.claims - before
  }
  expect(await claimsIn(1)).toBe(1)
  return { state, poll, wakes, claimsIn }
}

test('without work it claims once a second', async () => {
  const { claimsIn } = await openPoll()
  expect([await claimsIn(900), await claimsIn(200), await claimsIn(3000)]).toEqual([0, 1, 3])
})

test.each(['own', 'others'] as const)(
  'a wake-up by commits (%s) makes it claim at once, and often for a while',
  async (by) => {
    const { wakes, claimsIn } = await openPoll()
    wakes[by]()
    expect(await claimsIn(1)).toBe(1)
    expect(await claimsIn(WAKE_LASTS_MS / 2)).toBeGreaterThan(15)
    await claimsIn(WAKE_LASTS_MS)
    expect(await claimsIn(2000)).toBe(2)
  },
)

test('while something is sent it claims often', async () => {
  const { state, claimsIn } = await openPoll()
  state.isSending = true
  await claimsIn(1000)
  expect(await claimsIn(10_000)).toBeGreaterThan(150)
})

test('it ends with its listener', async () => {
  const { state, poll, claimsIn } = await openPoll()
  await poll.close()
  expect([state.isListening, await claimsIn(5000)]).toEqual([false, 0])
})
