import { type Database, readReplication, type Replication } from '@sealpost/postgres'

const ADVICE = "run two standbys a and b and set synchronous_standby_names = 'ANY 1 (a, b)' (docs/runbooks/standbys.md)"

export async function diagnoseStandbys(database: Pick<Database, 'read'>): Promise<string> {
  return describeStandbys(await database.read(readReplication))
}

/** What is set, whether one standby that fails would stop all writes, and what to do. */
export function describeStandbys({ synchronousStandbyNames: names, synchronousCommit, standbys }: Replication): string {
  const set = `synchronous_standby_names = '${names}'`
  if (names.trim() === '') {
    return `standbys: none is waited for (${set}): writes that were answered may be lost with the primary; ${ADVICE}`
  }
  if (synchronousCommit === 'off' || synchronousCommit === 'local') {
    return (
      `standbys: ${set} has no effect, because synchronous_commit is ${synchronousCommit}: writes that were answered ` +
      `may be lost with the primary; set synchronous_commit = on`
    )
  }
  const needed = neededOf(names)
  const hidden = standbys.filter(({ syncState }) => syncState === null).length
  if (needed === null || hidden > 0) {
    const cause = needed === null ? 'this form is not known' : 'this login may not see the state of standbys'
    return `standbys: ${set}; ${cause}: grant it pg_monitor, or check pg_stat_replication by hand`
  }
  const ready = standbys.filter((standby) => standby.state === 'streaming' && isWaitedFor(standby.syncState))
  const shown = `${set}; ${ready.length} of them follow${ready.length === 0 ? '' : `: ${ready.map(({ name }) => name).join(', ')}`}`
  if (ready.length < needed)
    return `standbys: ${shown}; WRITES WAIT NOW for ${needed}: start a standby, or shorten the list`
  if (ready.length === needed) return `standbys: ${shown}; one that fails stops all writes: ${ADVICE}`
  return `standbys: ${shown}; one may fail without stopping writes`
}

function isWaitedFor(syncState: string | null): boolean {
  return syncState === 'sync' || syncState === 'quorum' || syncState === 'potential'
}

/** How many standbys a commit waits for; a plain list waits for its first. */
function neededOf(names: string): number | null {
  const counted = /^\s*(?:(?:any|first)\s+)?(\d+)\s*\(/i.exec(names)?.[1]
  if (counted !== undefined) return Number(counted)
  return names.includes('(') ? null : 1
}
