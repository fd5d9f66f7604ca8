import { instant } from '@sealpost/kernel'
import { type DetachedOutcome, refuse } from '@sealpost/protocol'
import { readSwitches } from '../../access/index.ts'
import type { GrantsContext } from '../context.ts'
import type { DetachedResult, ResultName } from '../model.ts'
import { findResult, insertResult, takeResult } from '../store/results.ts'

const DELIVERED_FOR_MS = 10 * 60_000
/** For this long a late poll is answered `over`, and the state cannot be used again. */
const REMEMBERED_MS = 24 * 3_600_000

/** False when the state has an outcome already: the first one stands. */
export async function putResult(grants: GrantsContext, name: ResultName, outcome: DetachedOutcome): Promise<boolean> {
  const { database, clock } = grants
  await requireWrites(grants)
  const now = clock.now()
  const times = { lapsesAt: instant(now + DELIVERED_FOR_MS), forgottenAt: instant(now + REMEMBERED_MS) }
  return database.transaction((tx) => insertResult(tx, name, outcome, times))
}

/** An unused state is pending: the user may not have opened the link yet. */
export async function readResult({ database, clock }: GrantsContext, name: ResultName): Promise<DetachedResult> {
  const row = await database.read((read) => findResult(read, name))
  if (row === null) return { state: 'pending', outcome: null }
  if (row.outcome === null || row.lapses_at <= clock.now()) return { state: 'over', outcome: null }
  return { state: 'ready', outcome: row.outcome }
}

/** True for exactly one of the calls that read the same result: it delivers it. */
export async function claimResult(grants: GrantsContext, name: ResultName): Promise<boolean> {
  const { database, clock } = grants
  await requireWrites(grants)
  return database.transaction((tx) => takeResult(tx, name, clock.now()))
}

/** Results are data of a company: unlike grants and tokens they are refused while writes are paused. */
async function requireWrites({ database }: GrantsContext): Promise<void> {
  const { writesPaused } = await database.read(readSwitches)
  if (writesPaused) throw refuse('db.writes_paused')
}
