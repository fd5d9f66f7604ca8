import type { Telemetry } from '@sealpost/telemetry'
import type { LoadSensor } from './load-sensor.ts'
import type { Urgency } from './urgency.ts'
import { openLines, type Place } from './waiting-lines.ts'

/** How a process that has no time left chooses among its calls. */
export interface AdmissionLimits {
  /** Calls that it works on then. */
  readonly working: number
  /** What works longer waits for an engine, another region or its reader: it takes no time of the others. */
  readonly workMs: number
  /** Calls that wait for them; beyond, the oldest of the least urgent ones is refused. */
  readonly waiting: number
  /** A burst may wait so long. */
  readonly burstMs: number
  /** Of calls that never cease to wait, each waits so long at most. */
  readonly standingMs: number
}

export const ADMISSION_LIMITS: AdmissionLimits = {
  working: 16,
  workMs: 250,
  waiting: 2048,
  burstMs: 2000,
  standingMs: 50,
}

/** The line in front of the work of a server. */
export interface Admission {
  /** Null: the work may begin. Otherwise the promise resolves then, or is refused with 503. */
  enter(urgency: Urgency): { readonly place: Place; readonly admitted: Promise<void> | null }
}

const LOOK_EVERY_MS = 25

/**
 * [Note: overload] A process that gets more calls than it can answer would begin all of them and end none in time: each
 * takes its part of the event loop and of the database, and its caller has given up before the answer is there. So a
 * process that has no idle time left, or whose database connections are all in use, works on a few calls at once. The
 * others wait: logins before reads before writes before dear ones. A burst waits in the order of arrival. If calls never
 * cease to wait, it is no burst: then the newest call is next, because its caller is still there, and what has waited for
 * `standingMs` is refused, which costs little.
 */
export function openAdmission(limits: AdmissionLimits, sensor: LoadSensor, telemetry: Telemetry): Admission {
  const working = new Map<Place, number>()
  const lines = openLines(telemetry)
  const overload = openOverload(limits)
  let timer: NodeJS.Timeout | null = null

  const hasRoom = (nowMs: number): boolean => {
    forgetSlow(working, nowMs - limits.workMs)
    return working.size < limits.working || !sensor.isAtLimit(nowMs)
  }
  const refuseLate = (nowMs: number): void => {
    if (!overload.isStanding) return
    if (lines.refuseOlder(nowMs - limits.standingMs) > 0) overload.refused(nowMs)
  }
  const advance = (): void => {
    const nowMs = sensor.nowMs()
    overload.look(nowMs, nowMs - lines.oldestMs(nowMs))
    refuseLate(nowMs)
    while (lines.count() > 0 && hasRoom(nowMs)) {
      const next = lines.take(overload.isStanding)
      if (next === null) break
      working.set(next.place, nowMs)
      next.admit()
    }
    if (lines.count() === 0) {
      if (timer !== null) clearInterval(timer)
      timer = null
    } else timer ??= setInterval(advance, LOOK_EVERY_MS).unref()
  }
  const wait = (urgency: Urgency, place: Place): Promise<void> => {
    const nowMs = sensor.nowMs()
    const admitted = lines.add(urgency, nowMs, place)
    if (lines.count() > limits.waiting) {
      lines.refuseOldest()
      overload.refused(nowMs)
    }
    advance()
    return admitted
  }
  return {
    enter(urgency) {
      const nowMs = sensor.nowMs()
      const place: Place = {
        leave() {
          if (working.delete(place) && lines.count() > 0) advance()
        },
      }
      if (lines.count() > 0 || !hasRoom(nowMs)) return { place, admitted: wait(urgency, place) }
      overload.look(nowMs, 0)
      working.set(place, nowMs)
      return { place, admitted: null }
    },
  }
}

/** In the order of their beginning: those behind the first young one are younger. */
function forgetSlow(working: Map<Place, number>, beganMs: number): void {
  for (const [place, sinceMs] of working) {
    if (sinceMs > beganMs) return
    working.delete(place)
  }
}

/** Whether waiting is a burst, which ends by itself, or overload, which does not. */
interface Overload {
  readonly isStanding: boolean
  look(nowMs: number, oldestMs: number): void
  refused(nowMs: number): void
}

/**
 * After RFC 8289: calls that wait are a burst as long as in each `burstMs` there is a moment at which none has waited for
 * `standingMs`. Overload has ended when no call was refused for as long.
 */
function openOverload({ burstMs, standingMs }: AdmissionLimits): Overload {
  let isStanding = false
  let calmAtMs = 0
  return {
    get isStanding() {
      return isStanding
    },
    look(nowMs, oldestMs) {
      if (!isStanding && oldestMs < standingMs) calmAtMs = nowMs
      if (nowMs - calmAtMs <= burstMs) return
      isStanding = !isStanding
      calmAtMs = nowMs
    },
    refused(nowMs) {
      isStanding = true
      calmAtMs = nowMs
    },
  }
}
