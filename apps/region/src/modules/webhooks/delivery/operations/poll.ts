import { WAKE_LASTS_MS } from '@sealpost/postgres'
import { startLoop } from '@sealpost/process'
import type { Closable, Platform } from '../../../../platform/module.ts'
import { DUE_QUEUES } from '../../../feed/index.ts'

/** Without a wake-up: queues become due by the clock, and a wake-up can be lost. */
const POLL_EVERY_MS = 1000
/** While there is work, and after a wake-up: several workers share the claims, and other processes wake seldom. */
const BUSY_POLL_EVERY_MS = 50
const BACKOFF = { firstMs: 100, longestMs: 5_000 }

export interface Polled {
  /** Answers whether there may be more to claim right now. */
  readonly claim: () => Promise<boolean>
  readonly isSending: () => boolean
}

/** Claims due queues: often while there is work, seldom otherwise, and at once when a commit may have made one due. */
export async function startPoll(
  { database, log, monotonicMs, onNotify }: Pick<Platform, 'database' | 'log' | 'monotonicMs' | 'onNotify'>,
  { claim, isSending }: Polled,
): Promise<Closable> {
  let busyUntilMs = 0
  const isBusy = (): boolean => monotonicMs() < busyUntilMs
  const stayBusy = (): void => {
    busyUntilMs = monotonicMs() + WAKE_LASTS_MS
  }
  const loop = startLoop({
    name: 'the claim of due webhooks',
    log,
    everyMs: POLL_EVERY_MS,
    backoff: BACKOFF,
    async work() {
      if (await claim()) return 0
      if (isSending()) stayBusy()
      return isBusy() ? BUSY_POLL_EVERY_MS : POLL_EVERY_MS
    },
  })
  const wake = (): void => {
    const wasBusy = isBusy()
    stayBusy()
    if (!wasBusy) loop.wake()
  }
  database.onWake(DUE_QUEUES, wake)
  const listener = await onNotify(DUE_QUEUES, wake)
  return {
    async close() {
      await listener.close()
      await loop.close()
    },
  }
}
