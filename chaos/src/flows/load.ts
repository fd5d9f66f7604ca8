import { setTimeout as pause } from 'node:timers/promises'
import type { Answer } from '@sealpost/testkit'
import type { Dice } from '@sealpost/testkit/dice'
import type { GatedLoad } from '../inject-faults.ts'
import { pathAt, send, senderOf, upload } from './calls.ts'
import { readersOf, type Run } from './runs.ts'
import { type Act, expectedAfter, isDecided, refusalInRace } from './script.ts'

/** What callers saw. */
export interface Tally {
  /** Steps of scripts. */
  done: number
  /** 503, by its key. */
  readonly refused: Map<string, number>
  /** No answer at all. */
  broken: number
  /** 409 because a killed process still claims the Idempotency-Key. */
  claimed: number
  /** A turn that has not arrived at its party for a while. */
  late: number
  /** Uploads that no answer will name. */
  strays: number
  /** Answers that no fault explains. */
  readonly wrong: string[]
  /** Steps that may begin up to now. */
  allowed: number
  isEnding: boolean
}

export function openTally(): Tally {
  const counts = { done: 0, broken: 0, claimed: 0, late: 0, strays: 0 }
  return { ...counts, refused: new Map(), wrong: [], allowed: 0, isEnding: false }
}

export function loadOf(tally: Tally, total: number): GatedLoad {
  const troubles = (): number =>
    tally.broken + tally.late + [...tally.refused.values()].reduce((sum, count) => sum + count, 0)
  return {
    total,
    allow(count) {
      tally.allowed = count
    },
    begun: () => tally.done,
    done() {
      if (tally.wrong.length > 0) throw new Error(`a wrong answer: ${tally.wrong[0]}`)
      return tally.done
    },
    troubles,
    describe: () => `${tally.done} of ${total} steps, ${troubles()} troubles, ${tally.strays} stray uploads`,
  }
}

const AGAIN_MS = 100
const LATE_MS = 2000

/** A run that follows a script. */
interface Scripted {
  readonly steps: readonly unknown[]
  readonly done: number
}

/**
 * Takes any run that is not in the hands of another worker, does its next step or finds out why not, and puts it back.
 * `tryStep` tries the current step once, and answers whether it is done.
 */
export async function workOn<One extends Scripted>(
  tally: Tally,
  runs: One[],
  dice: Dice,
  tryStep: (tally: Tally, run: One) => Promise<boolean>,
): Promise<void> {
  while (!tally.isEnding) {
    const run = tally.done < tally.allowed ? runs.splice(dice.below(runs.length), 1)[0] : undefined
    if (run === undefined) {
      await pause(AGAIN_MS)
      continue
    }
    const isStepDone = await tryStep(tally, run)
    if (isStepDone) tally.done += 1
    if (run.done < run.steps.length) runs.push(run)
    if (!isStepDone) await pause(AGAIN_MS)
  }
}

/** Does a whole script, without a fault. */
export async function runScript(tally: Tally, run: Run): Promise<void> {
  while (run.done < run.steps.length) {
    if (tally.wrong.length > 0) throw new Error(`a wrong answer: ${tally.wrong[0]}`)
    if (!(await advance(tally, run))) await pause(AGAIN_MS)
  }
}

/** Tries the current step of a run once; true when all of its acts are answered. */
export async function advance(tally: Tally, run: Run): Promise<boolean> {
  const step = run.steps[run.done] ?? []
  run.isReady ||= await isTurnOf(tally, run, step)
  if (!run.isReady) return false
  const open = step.filter((act) => !run.answered.has(act))
  await Promise.all(open.map((act) => tryAct(tally, run, act)))
  if (step.some((act) => !run.answered.has(act))) return false
  const taken = step.filter((act) => run.answered.get(act))
  if (!isDecided(step, taken)) tally.wrong.push(`of ${step.join(' and ')} only ${taken.join()} was taken`)
  run.taken.push(...taken)
  run.answered.clear()
  run.isReady = false
  run.done += 1
  return true
}

/** A refusal is an answer too: with a key, a call that comes too early would be refused for good. */
async function isTurnOf(tally: Tally, run: Run, step: readonly Act[]): Promise<boolean> {
  const { status, node } = expectedAfter(run.taken)
  const begun = Date.now()
  for (const act of step) {
    const sender = senderOf(act, run)
    if (sender === null) continue
    for (;;) {
      const answer = await sender.calls('GET', pathAt(sender, run)).catch(() => null)
      if (answer?.status === 200 && answer.body['status'] === status && answer.body['current_node'] === node) break
      if (answer === null || (answer.status !== 200 && answer.status !== 404)) countTrouble(tally, answer)
      else if (Date.now() - begun > LATE_MS) tally.late += 1
      else {
        await pause(AGAIN_MS)
        continue
      }
      return false
    }
  }
  return true
}

async function tryAct(tally: Tally, run: Run, act: Act): Promise<void> {
  const answer = await send(run, act).catch(() => null)
  if (answer !== null && answer.status < 300) {
    if (act === 'start') run.id = String(answer.body['id'])
    run.answered.set(act, true)
    return
  }
  const lost = refusalInRace(act, run.steps[run.done] ?? [])
  if (lost !== null && answer?.body['error_key'] === lost) run.answered.set(act, false)
  else countTrouble(tally, answer)
}

export function countTrouble(tally: Tally, answer: Answer | null): void {
  const key = String(answer?.body['error_key'])
  if (answer === null) tally.broken += 1
  else if (answer.status === 503) tally.refused.set(key, (tally.refused.get(key) ?? 0) + 1)
  else if (key === 'idempotency.in_progress') tally.claimed += 1
  else tally.wrong.push(`${answer.status} ${answer.text}`)
}

/** Uploads for a run that waits for its file, and names none of them. */
export async function strayUploads(tally: Tally, runs: readonly Run[], dice: Dice): Promise<void> {
  while (!tally.isEnding) {
    if (tally.done < tally.allowed) {
      const run = dice.pick(runs)
      const answer = await upload(run, dice.pick(readersOf(run))).catch(() => null)
      if (answer?.status === 201) tally.strays += 1
      else countTrouble(tally, answer)
    }
    await pause(AGAIN_MS)
  }
}
