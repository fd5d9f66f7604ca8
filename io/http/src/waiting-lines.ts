import { refuse } from '@sealpost/protocol'
import type { Telemetry } from '@sealpost/telemetry'
import { URGENCIES, type Urgency } from './urgency.ts'

/** A call that is being worked on, or waits for it. */
export interface Place {
  /** Its work has ended, or waits for its caller. Further calls of this do nothing. */
  leave(): void
}

/** A call in line. */
interface Waiting {
  readonly sinceMs: number
  readonly place: Place
  admit(): void
  refuse(): void
}

/** The calls that wait, by urgency. */
interface WaitingLines {
  count(): number
  /** Resolves when the call is taken; rejects with 503 when it is refused. */
  add(urgency: Urgency, nowMs: number, place: Place): Promise<void>
  /** The most urgent one. */
  take(isNewestFirst: boolean): Waiting | null
  /** Since when the oldest one waits; now, if none does. */
  oldestMs(nowMs: number): number
  /** Refuses those that wait since before then, and answers how many. */
  refuseOlder(thanMs: number): number
  /** Refuses the oldest of the least urgent ones. */
  refuseOldest(): void
}

const RETRY_AFTER_SECONDS = 1

export function openLines(telemetry: Telemetry): WaitingLines {
  const lines = URGENCIES.map((urgency) => ({ urgency, calls: [] as Waiting[] }))
  const byUrgency = new Map(lines.map((line) => [line.urgency, line]))
  const refusals = telemetry.counter('http_calls_shed', 'Calls refused because the process is at its limit')
  const shed = new Map(URGENCIES.map((urgency) => [urgency, refusals.bind({ reason: urgency })]))
  let count = 0
  telemetry.gauge('http_calls_waiting', 'Calls that wait because the process is at its limit', () => count)

  const refuseFirst = (calls: Waiting[], many: number): number => {
    const late = calls.splice(0, many)
    count -= late.length
    for (const call of late) call.refuse()
    return late.length
  }
  return {
    count: () => count,
    add(urgency, sinceMs, place) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      byUrgency.get(urgency)?.calls.push({
        sinceMs,
        place,
        admit: resolve,
        refuse() {
          shed.get(urgency)?.add(1)
          reject(refuse('platform.busy', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS }))
        },
      })
      count += 1
      return promise
    },
    take(isNewestFirst) {
      const calls = lines.find((line) => line.calls.length > 0)?.calls
      const next = (isNewestFirst ? calls?.pop() : calls?.shift()) ?? null
      if (next !== null) count -= 1
      return next
    },
    oldestMs: (nowMs) => Math.min(nowMs, ...lines.map(({ calls }) => calls[0]?.sinceMs ?? nowMs)),
    refuseOlder(thanMs) {
      let refused = 0
      for (const { calls } of lines) {
        const young = calls.findIndex(({ sinceMs }) => sinceMs >= thanMs)
        refused += refuseFirst(calls, young === -1 ? calls.length : young)
      }
      return refused
    },
    refuseOldest() {
      const last = lines.findLast((line) => line.calls.length > 0)
      if (last !== undefined) refuseFirst(last.calls, 1)
    },
  }
}
