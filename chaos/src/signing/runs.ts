import { systemIds } from '@sealpost/process'
import type { Parties } from './parties.ts'

/** One call that changes a run; `act` takes the open step of the signing line. */
export type Act = 'start' | 'ask' | 'tell' | 'generate' | 'act' | 'decline' | 'cancel'

const MADE: readonly Act[] = ['start', 'ask', 'tell', 'generate']

/** What happens to a run; the last act of each leaves it as the name says. */
const SCRIPTS = {
  sealed: [...MADE, 'act', 'act', 'act', 'act', 'act'],
  declined: [...MADE, 'act', 'act', 'decline'],
  cancelled: [...MADE, 'act', 'cancel'],
  neverMade: ['start', 'ask', 'tell', 'cancel'],
  halfSealed: [...MADE, 'act', 'act', 'act', 'act'],
  open: [...MADE, 'act'],
} satisfies Readonly<Record<string, readonly Act[]>>

/** One run of the load: its script, and what was acknowledged. */
export interface Run {
  readonly number: number
  readonly pair: Parties['pairs'][number]
  readonly steps: readonly Act[]
  /** Distinguishes its Idempotency-Keys. */
  readonly key: string
  /** Empty until the start is acknowledged. */
  id: string
  /** The acts that are acknowledged. */
  done: number
  /** The ids of its copies by output and party, as the first answer of generate said. */
  readonly documents: Map<string, string>
  /** The body of the current act; the same for each repetition. */
  body: object | null
  /** Since when its party waits for the copy or the turn. */
  waitsSince: number | null
}

/** Twice as many are sealed as end in any other way. */
export function planRuns({ pairs }: Parties, count: number): readonly Run[] {
  const scripts = [SCRIPTS.sealed, ...Object.values(SCRIPTS)]
  return Array.from({ length: count }, (_, number): Run => {
    const pair = pairs[number % pairs.length]
    if (pair === undefined) throw new Error('there are no customers')
    const steps = scripts[Math.floor(number / pairs.length) % scripts.length] ?? SCRIPTS.sealed
    return {
      number,
      pair,
      steps,
      key: systemIds().uuid(),
      id: '',
      done: 0,
      documents: new Map(),
      body: null,
      waitsSince: null,
    }
  })
}

/** A run as the acknowledged acts imply it. */
export interface Expected {
  readonly status: string
  readonly isMade: boolean
  /** The steps of the line that are done. */
  readonly acted: number
}

export function expectedOf({ steps, done }: Pick<Run, 'steps' | 'done'>): Expected {
  const taken = steps.slice(0, done)
  const acted = taken.filter((act) => act === 'act').length
  const isMade = taken.includes('generate')
  return { status: statusAfter(taken, isMade, acted), isMade, acted }
}

const LINE_LENGTH = 5

function statusAfter(taken: readonly Act[], isMade: boolean, acted: number): string {
  const last = taken.at(-1)
  if (last === 'cancel' || last === 'decline') return 'cancelled'
  if (isMade) return acted === LINE_LENGTH ? 'completed' : 'awaiting_signature'
  if (taken.includes('tell')) return 'generating'
  return taken.includes('ask') ? 'awaiting_customer' : 'awaiting_us'
}
