import type { Tx } from '@sealpost/postgres'
import { lockConnections, type StoredConnection } from '../../../connections/index.ts'
import type { Actor, RunName, StoredRun } from '../model.ts'
import { isActor } from '../rules/status.ts'
import { findRun, lockRun } from '../store/runs.ts'
import { customersOf } from './record-run.ts'

export interface LockedRun {
  readonly run: StoredRun
  /** Those of its customers that have not ended, in the order of ids. */
  readonly connections: readonly StoredConnection[]
}

/**
 * Locks the connections of a run, then the run: turns, cancels and ends of connections follow each other. Null for a run
 * that the actor takes no part in; without an actor the platform itself acts.
 */
export async function lockForAct(tx: Tx, name: RunName | StoredRun, actor: Actor | null): Promise<LockedRun | null> {
  // The parties of a run never change.
  const found = 'parties' in name ? name : await findRun(tx, name)
  if (found === null || (actor !== null && !isActor(found, actor))) return null
  const ids = customersOf(found).map(({ customer }) => customer.connectionId)
  const connections = await lockConnections(tx, name.serviceId, ids)
  const run = await lockRun(tx, name)
  return run === null ? null : { run, connections }
}
