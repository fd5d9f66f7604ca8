import { columns } from './columns.ts'
import { type Read, runStatement } from './scope.ts'

/** A standby that is connected to the primary. Null: this login may not see it (it lacks `pg_monitor`). */
export interface Standby {
  readonly name: string
  readonly state: string | null
  readonly syncState: string | null
}

export interface Replication {
  readonly synchronousStandbyNames: string
  readonly synchronousCommit: string
  readonly standbys: readonly Standby[]
}

const SETTINGS = `
select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit`
const SETTINGS_COLUMNS = columns<{ names: string; commit: string }>({ names: 'text', commit: 'text' })
const STANDBYS = `
select coalesce(application_name, '') as name, state, sync_state as "syncState" from pg_stat_replication order by 1`
const STANDBY_COLUMNS = columns<Standby>({ name: 'text', state: 'text?', syncState: 'text?' })

/** What this database waits for at a commit. */
export async function readReplication(read: Read): Promise<Replication> {
  const [settings] = await runStatement(read, SETTINGS, [], SETTINGS_COLUMNS)
  const standbys = await runStatement(read, STANDBYS, [], STANDBY_COLUMNS)
  return {
    synchronousStandbyNames: settings?.names ?? '',
    synchronousCommit: settings?.commit ?? '',
    standbys,
  }
}
