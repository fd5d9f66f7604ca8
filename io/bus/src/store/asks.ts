import { formatInstant, type Instant } from '@sealpost/kernel'
import { columns, runStatement, type Tx } from '@sealpost/postgres'
import type { Party } from '../parties.ts'

export interface AskName {
  readonly source: Party
  readonly id: string
  readonly command: string
}

const CLAIM = `
insert into bus.ask_outcome (source, id, command, expires_at) values ($1, $2, $3, $4)
on conflict (source, id) do update set command = excluded.command, outcome = null, expires_at = excluded.expires_at
  where ask_outcome.expires_at <= $5
returning id`

/**
 * Claims the ask's id for this transaction. A second ask with the same id waits here until the first has committed or
 * rolled back, so only one of them runs. False when its outcome already exists.
 */
export async function claimAsk(tx: Tx, ask: AskName, expiresAt: Instant, now: Instant): Promise<boolean> {
  const values = [ask.source, ask.id, ask.command, formatInstant(expiresAt), formatInstant(now)]
  return (await runStatement(tx, CLAIM, values)).length > 0
}

const OUTCOME = `select command, outcome from bus.ask_outcome where source = $1 and id = $2`
const OUTCOME_COLUMNS = columns({ command: 'text', outcome: 'text?' })

export async function readOutcome(tx: Tx, ask: AskName): Promise<string | null> {
  const [row] = await runStatement(tx, OUTCOME, [ask.source, ask.id], OUTCOME_COLUMNS)
  if (row !== undefined && row.command !== ask.command)
    throw new Error(
      `the ask id of a ${row.command} was used again for a ${ask.command}: derive it from the command too`,
    )
  return row?.outcome ?? null
}

const STORE = `update bus.ask_outcome set outcome = $3 where source = $1 and id = $2`

export async function storeOutcome(tx: Tx, ask: AskName, outcome: string): Promise<void> {
  await runStatement(tx, STORE, [ask.source, ask.id, outcome])
}

/** The handler's writes can be rolled back while the claim on the id stays. */
export async function markEffects(tx: Tx): Promise<void> {
  await runStatement(tx, 'savepoint effects', [])
}

export async function undoEffects(tx: Tx): Promise<void> {
  await runStatement(tx, 'rollback to savepoint effects', [])
}

const EXPIRE = `
delete from bus.ask_outcome where (source, id) in
  (select source, id from bus.ask_outcome where expires_at <= $1 order by expires_at limit $2)
returning id`

/** Returns the number of deleted rows. */
export async function deleteExpired(tx: Tx, now: Instant, limit: number): Promise<number> {
  return (await runStatement(tx, EXPIRE, [formatInstant(now), limit])).length
}
