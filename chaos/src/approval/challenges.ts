import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Calls } from '@sealpost/testkit'
import type { GatedLoad } from '../inject-faults.ts'
import type { Approver } from './people.ts'
import { LIFETIME_SECONDS } from './site.ts'

export const INTENTS = ['approve', 'deny', 'ignore'] as const
export type Intent = (typeof INTENTS)[number]

/** What both sides saw of one challenge. */
export interface Seen {
  readonly intent: Intent
  /** Whether the person sent an approval at all. */
  hasApproved: boolean
  /** The outcome that the person was told; null when none. */
  person: string | null
  /** The outcome that the company read; `lost` when its answer did not arrive, null when there never was one. */
  company: string | null
  /** Reads that answered an outcome. */
  reads: number
}

export interface Tally {
  readonly seen: Seen[]
  /** 503, by its key. */
  readonly refused: Map<string, number>
  /** No answer at all. */
  broken: number
  /** Cards that are still not there. */
  late: number
  /** Answers that no fault explains. */
  readonly wrong: string[]
  /** Challenges that may begin up to now. */
  allowed: number
  begun: number
  isEnding: boolean
}

export function openTally(): Tally {
  return { seen: [], refused: new Map(), broken: 0, late: 0, wrong: [], allowed: 0, begun: 0, isEnding: false }
}

export function loadOf(tally: Tally, challenges: number): GatedLoad {
  const troubles = (): number =>
    tally.broken + tally.late + [...tally.refused.values()].reduce((sum, count) => sum + count, 0)
  return {
    total: challenges,
    allow(count) {
      tally.allowed = count
    },
    begun: () => tally.begun,
    done: () => tally.seen.length,
    troubles,
    describe: () => `${tally.seen.length} done, ${troubles()} troubles`,
  }
}

const AGAIN_MS = 100
const LATE_MS = 2000
const RAISE = '/api/service-2fa/challenges'
const CARDS = '/api/customer/2fa/challenges'
/** Longer than any restart of a region takes. */
const PATIENCE_MS = LIFETIME_SECONDS * 1000 + 90_000

/** One person's challenges, one after the other, until the run ends. */
export async function challengeInTurn(tally: Tally, service: Calls, approver: Approver, part: number): Promise<void> {
  for (let number = 0; !tally.isEnding; number += 1) {
    while (!tally.isEnding && tally.begun >= tally.allowed) await pause(AGAIN_MS)
    if (tally.isEnding) return
    tally.begun += 1
    const intent = INTENTS[(number + part) % INTENTS.length] ?? 'ignore'
    const seen: Seen = { intent, hasApproved: false, person: null, company: null, reads: 0 }
    await runChallenge(tally, service, approver, { seen, key: `chaos-${part}-${number}` })
    tally.seen.push(seen)
  }
}

interface Run {
  readonly seen: Seen
  readonly key: string
}

async function runChallenge(tally: Tally, service: Calls, approver: Approver, { seen, key }: Run): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  const body = { share_code: approver.user.shareCode, idempotency_key: key, context: key }
  const raised = await untilAnswered(tally, end, [200], () => service('POST', RAISE, { body }))
  if (raised === null) return
  const id = String(raised.body['challenge_id'])
  await Promise.all([answerCard(tally, approver, seen, id), read(tally, service, seen, id, end)])
}

async function answerCard(tally: Tally, { calls, sign }: Approver, seen: Seen, id: string): Promise<void> {
  if (seen.intent === 'ignore') return
  const end = Date.now() + LIFETIME_SECONDS * 1000
  const path = `${CARDS}/${id}/${seen.intent}`
  const answered = await untilAnswered(tally, end, [200, 409], () => {
    if (seen.intent === 'approve') seen.hasApproved = true
    return calls('POST', path, { body: seen.intent === 'approve' ? { assertion: sign(id) } : {} })
  })
  seen.person = answered === null ? null : String(answered.body['status'])
}

/** Reads on after the outcome: it must be answered once. */
async function read(tally: Tally, service: Calls, seen: Seen, id: string, end: number): Promise<void> {
  const poll = () => service('GET', `${RAISE}/${id}`)
  while (Date.now() < end && seen.company === null) {
    const answered = await untilAnswered(tally, end, [200, 410], poll)
    if (answered?.status === 410) seen.company = 'lost'
    if (answered?.status === 200 && answered.body['status'] !== 'pending') {
      seen.company = String(answered.body['status'])
      seen.reads += 1
    }
    await pause(AGAIN_MS)
  }
  const again = await untilAnswered(tally, Date.now() + PATIENCE_MS, [200, 410], poll)
  if (again?.status === 200) seen.reads += 1
}

/** Repeats a call while a fault explains that it has no answer of these. A card that is not there yet is one. */
async function untilAnswered(
  tally: Tally,
  end: number,
  wanted: readonly number[],
  call: () => Promise<Answer>,
): Promise<Answer | null> {
  const begun = Date.now()
  while (Date.now() < end && !tally.isEnding) {
    const answer = await call().catch(() => null)
    if (answer !== null && wanted.includes(answer.status)) return answer
    const key = String(answer?.body['error_key'])
    if (answer === null) tally.broken += 1
    else if (answer.status === 503) tally.refused.set(key, (tally.refused.get(key) ?? 0) + 1)
    else if (answer.status === 404 && Date.now() - begun > LATE_MS) tally.late += 1
    else if (key !== 'twofa.challenge_not_found' && key !== 'twofa.pending_cap') {
      tally.wrong.push(`${answer.status} ${answer.text}`)
    }
    await pause(AGAIN_MS)
  }
  return null
}
