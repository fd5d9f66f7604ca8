import { createBoundedCache } from '@sealpost/kernel'
import type { SendingTime } from './wire.ts'

/**
 * [Note: the age of an ask] A NATS server that was frozen, or a connection that was stuck, hands over at once what waited in
 * it. The askers have given up by then: answering would only keep the asked party from the asks of now. Clocks of machines
 * differ, so the age is measured on monotonic ones: the smallest difference between sending and arrival that a process has
 * ever had, lately, is the difference of the two clocks, and what exceeds it is age.
 */
export interface AskAges {
  /** True if the asker has stopped waiting. */
  isTooOld(sent: SendingTime, arrivedMs: number): boolean
}

/** The smallest difference of this and of the previous period: quartz clocks drift apart by a second in a few hours. */
interface Differences {
  readonly periodStartMs: number
  readonly previous: number
  readonly present: number
}

const PERIOD_MS = 10 * 60_000
const PROCESSES = 1_000

export function createAskAges(): AskAges {
  const known = createBoundedCache<string, Differences>({ most: PROCESSES })
  return {
    isTooOld({ process, atMs, waitsMs }, arrivedMs) {
      const difference = arrivedMs - atMs
      const next = include(known.get(process), difference, arrivedMs)
      known.set(process, next)
      return difference - Math.min(next.previous, next.present) > waitsMs
    },
  }
}

function include(before: Differences | undefined, difference: number, nowMs: number): Differences {
  if (before === undefined) return { periodStartMs: nowMs, previous: difference, present: difference }
  if (nowMs - before.periodStartMs > PERIOD_MS)
    return { periodStartMs: nowMs, previous: before.present, present: difference }
  return { ...before, present: Math.min(before.present, difference) }
}
