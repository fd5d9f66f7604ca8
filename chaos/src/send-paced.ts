import { setTimeout as pause } from 'node:timers/promises'

interface Pace {
  readonly callsPerTarget: number
  /** Of each target. */
  readonly perSecond: number
}

/** Calls every target at a steady rate. Due times are fixed: a slow answer does not delay the calls behind it. */
export async function sendPaced<Target>(
  targets: readonly Target[],
  { callsPerTarget, perSecond }: Pace,
  send: (target: Target, number: number, dueMs: number) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  const calls: Promise<void>[] = []
  const everyMs = 1000 / perSecond
  for (let number = 0; number < callsPerTarget; number += 1) {
    for (const [index, target] of targets.entries()) {
      const dueMs = began + everyMs * (number + index / targets.length)
      const waitMs = dueMs - performance.now()
      if (waitMs > 1) await pause(waitMs)
      calls.push(send(target, number, dueMs))
    }
  }
  await Promise.all(calls)
}
