import { type Clock, instant } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { type DetachedOutcome, refuse } from '@sealpost/protocol'
import { readSwitches } from '../access/index.ts'
import { findResult, insertResult, type ResultName, takeResult } from './store/results.ts'

export interface ResultNeeds {
  readonly database: Database
  readonly clock: Clock
}

const DELIVERED_FOR_MS = 10 * 60_000
/** So long a poll that comes too late is told so, and the state cannot be used again. */
const REMEMBERED_MS = 24 * 3_600_000

export type DetachedResult =
  | { readonly state: 'pending' | 'over'; readonly outcome: null }
  | { readonly state: 'ready'; readonly outcome: DetachedOutcome }

/** False when this state has an outcome already: the first one stands. */
export async function putResult(
  { database, clock }: ResultNeeds,
  name: ResultName,
  outcome: DetachedOutcome,
): Promise<boolean> {
  await demandWrites(database)
  const now = clock.now()
  const times = { lapsesAt: instant(now + DELIVERED_FOR_MS), forgottenAt: instant(now + REMEMBERED_MS) }
  return database.transaction((tx) => insertResult(tx, name, outcome, times))
}

/** A state that nobody has used is pending: the person may not have opened the link yet. */
export async function readResult({ database, clock }: ResultNeeds, name: ResultName): Promise<DetachedResult> {
  const row = await database.read((read) => findResult(read, name))
  if (row === null) return { state: 'pending', outcome: null }
  if (row.outcome === null || row.lapses_at <= clock.now()) return { state: 'over', outcome: null }
  return { state: 'ready', outcome: row.outcome }
}

/** Of several who have read the same result exactly one delivers it. */
export async function claimResult({ database, clock }: ResultNeeds, name: ResultName): Promise<boolean> {
  await demandWrites(database)
  return database.transaction((tx) => takeResult(tx, name, clock.now()))
}

/** Results are data of a company; other than grants and tokens they wait while writes are paused. */
async function demandWrites(database: Database): Promise<void> {
  const { writesPaused } = await database.read(readSwitches)
  if (writesPaused) throw refuse('db.writes_paused')
}
