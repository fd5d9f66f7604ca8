import { runStatement, type Tx } from './scope.ts'

/**
 * [Note: wake-ups] A loop that looks for rows is woken by the commits that write them. Its own process wakes it at each of
 * them. Other processes are told by NOTIFY, in a statement of its own (inside of a transaction it takes a lock on the whole
 * database until the commit) and at most once a second: so a woken loop looks often for `WAKE_LASTS_MS`, and seldom without
 * a wake-up, which can be lost.
 */
export interface WakeUps {
  send(channel: string): void
  listen(channel: string, act: () => void): void
}

/** Longer than the time between two NOTIFYs, so that a loop sees the rows of all commits between them soon. */
export const WAKE_LASTS_MS = 2000
const NOTIFY_EVERY_MS = 1000

export function openWakeUps(
  tellOthers: (channel: string) => Promise<void>,
  monotonicMs: () => number = () => performance.now(),
): WakeUps {
  const listeners = new Map<string, (() => void)[]>()
  const toldAtMs = new Map<string, number>()
  return {
    send(channel) {
      for (const act of listeners.get(channel) ?? []) act()
      const nowMs = monotonicMs()
      if (nowMs - (toldAtMs.get(channel) ?? -Infinity) < NOTIFY_EVERY_MS) return
      toldAtMs.set(channel, nowMs)
      tellOthers(channel).catch(() => toldAtMs.delete(channel))
    },
    listen: (channel, act) => void listeners.set(channel, [...(listeners.get(channel) ?? []), act]),
  }
}

export async function notify(tx: Tx, channel: string): Promise<void> {
  await runStatement(tx, 'select pg_notify($1, $2)', [channel, ''])
}
