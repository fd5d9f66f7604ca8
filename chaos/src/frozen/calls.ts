import { setTimeout as pause } from 'node:timers/promises'

/** The kinds of calls of the load. */
export type CallName = 'read' | 'rename' | 'create' | 'token' | 'login' | 'file'

export const CALL_NAMES = ['read', 'rename', 'create', 'token', 'login', 'file'] as const satisfies readonly CallName[]

/** `refused`: nothing was written. `unknown`: the platform says that it does not know. */
export type Verdict = 'done' | 'refused' | 'unknown'

export interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Counted {
  done: number
  refused: number
  streak: number
}

/** What the callers saw. A call must be answered, and be a success or a 503 that says when to try again. */
export interface Tally {
  /** Judges an answer; anything else than a success or a proper 503 is counted as wrong and kept as an example. */
  judge(name: CallName, answering: Promise<Seen>): Promise<Verdict>
  /** How many calls of this kind succeeded since the last one that did not, or since `takePhase`. */
  streak(name: CallName): number
  /** Counts since the last call of this. */
  takePhase(): Readonly<Record<CallName, Counted>>
  /** Refused calls of this kind since `takePhase`. */
  refused(name: CallName): number
  readonly totals: { calls: number; refused: number; wrong: number; slowestMs: number }
  readonly examples: readonly string[]
}

const BUSY_KEYS = new Set(['platform.busy', 'region.unreachable', 'rate.unavailable', 'idempotency.in_progress'])
const UNKNOWN_KEY = 'region.unreachable'
const LONGEST_WAIT_SECONDS = 30
const EXAMPLES = 12

export function openTally(phaseName: () => string): Tally {
  const totals = { calls: 0, refused: 0, wrong: 0, slowestMs: 0 }
  const examples: string[] = []
  let phase = emptyPhase()
  const countWrong = (name: CallName, what: string): void => {
    totals.wrong += 1
    if (examples.length < EXAMPLES) examples.push(`${phaseName()}: ${name}: ${what}`)
  }
  return {
    totals,
    examples,
    takePhase() {
      const taken = phase
      phase = emptyPhase()
      return taken
    },
    refused: (name) => phase[name].refused,
    streak: (name) => phase[name].streak,
    async judge(name, answering) {
      const startedMs = performance.now()
      totals.calls += 1
      try {
        const { status, headers, text } = await Promise.race([answering, late()])
        if (status < 300) {
          phase[name].done += 1
          phase[name].streak += 1
          return 'done'
        }
        phase[name].refused += 1
        phase[name].streak = 0
        totals.refused += 1
        const key = keyIn(text)
        if (!isProper(status, headers, key))
          countWrong(name, `${status} ${headers.get('retry-after')} ${text.slice(0, 160)}`)
        return key === UNKNOWN_KEY ? 'unknown' : 'refused'
      } catch (error) {
        countWrong(name, `no answer: ${String(error instanceof Error ? (error.cause ?? error) : error)}`)
        return 'unknown'
      } finally {
        totals.slowestMs = Math.max(totals.slowestMs, Math.round(performance.now() - startedMs))
      }
    },
  }
}

/** Longer than any time limit of the platform. */
const ANSWER_DEADLINE_MS = 40_000

async function late(): Promise<never> {
  await pause(ANSWER_DEADLINE_MS, null, { ref: false })
  throw new Error(`none within ${ANSWER_DEADLINE_MS} ms`)
}

function isProper(status: number, headers: Headers, key: string): boolean {
  if (key === 'idempotency.in_progress') return status === 409
  const wait = Number(headers.get('retry-after'))
  return status === 503 && BUSY_KEYS.has(key) && wait >= 1 && wait <= LONGEST_WAIT_SECONDS
}

function keyIn(text: string): string {
  const value: unknown = text.startsWith('{') ? JSON.parse(text) : {}
  return typeof value === 'object' && value !== null && 'error_key' in value ? String(value.error_key) : ''
}

function emptyPhase(): Record<CallName, Counted> {
  return { read: none(), rename: none(), create: none(), token: none(), login: none(), file: none() }
}

function none(): Counted {
  return { done: 0, refused: 0, streak: 0 }
}
