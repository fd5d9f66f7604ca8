import { Client } from 'pg'
import { locatePrimary } from './find-primary.ts'

/** Named steps, applied in the order of their names: `0003_services_create`. The number is unique in one database. */
export type MigrationSet = Readonly<Record<string, SqlMigration>>

/** A step written as SQL. There is no way down: a later step corrects a released one. */
export interface SqlMigration {
  /** Its text, so that two sets can be compared. */
  readonly source: string
}

const CONNECT_TIMEOUT_MS = 10_000
/** A longer wait for a table would queue all later callers behind it: fail, and try again at a quieter time. */
const LOCK_TIMEOUT_MS = 10_000
const MIGRATORS_LOCK = 'sealpost migrations'

const CREATE_TABLE = `
create table if not exists public.migration (name text collate "C" primary key, applied_at timestamptz not null default now())`
const APPLIED = 'select name from public.migration order by name'
const RECORD = 'insert into public.migration (name) values ($1)'

/** Joins the sets of several modules; two steps of one name are refused, because one would hide the other. */
export function joinMigrations(...sets: readonly MigrationSet[]): MigrationSet {
  const joined: Record<string, SqlMigration> = {}
  for (const [name, migration] of sets.flatMap((set) => Object.entries(set))) {
    if (joined[name] !== undefined) throw new Error(`two migrations are called ${name}`)
    joined[name] = migration
  }
  return joined
}

export function sqlMigration(text: string): SqlMigration {
  return { source: text }
}

/**
 * Applies the missing steps in one transaction and returns their names. Concurrent callers are safe: one applies, the others
 * wait for its lock, which ends with its connection.
 */
export async function migrate(url: string, migrations: MigrationSet): Promise<readonly string[]> {
  return (await migrateSteps(url, migrations)).applied
}

/** For the command of an app: migrates, and says in a sentence what it did. */
export async function migrateAndReport(url: string, migrations: MigrationSet): Promise<string> {
  const { applied, newer } = await migrateSteps(url, migrations)
  if (applied.length > 0) return `applied ${applied.join(', ')}`
  if (newer.length === 0) return 'the database is up to date'
  return (
    `nothing to apply: the database is of a newer release, which has applied ${newer.join(', ')}; ` +
    'this release works on it, because steps only add'
  )
}

interface Migrated {
  readonly applied: readonly string[]
  readonly newer: readonly string[]
}

async function migrateSteps(url: string, migrations: MigrationSet): Promise<Migrated> {
  const client = new Client({
    connectionString: await locatePrimary(url, CONNECT_TIMEOUT_MS),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sealpost-migrate',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [MIGRATORS_LOCK])
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    return await applyMissing(client, migrations)
  } finally {
    await client.end()
  }
}

/** The connection ends after this, so that a failed transaction needs no ROLLBACK. */
async function applyMissing(client: Client, migrations: MigrationSet): Promise<Migrated> {
  await client.query('begin')
  await client.query(CREATE_TABLE)
  const { rows } = await client.query<{ name: string }>(APPLIED)
  const [applied, known] = [rows.map(({ name }) => name), Object.keys(migrations)]
  const missing = missingSteps(applied, known)
  for (const name of missing) {
    await client.query(migrations[name]?.source ?? '')
    await client.query(RECORD, [name])
  }
  await client.query('commit')
  return { applied: missing, newer: newerSteps(applied, known) }
}

/**
 * The steps to apply, in order. A database of a newer release needs none: steps only add, so an older release works on it
 * (docs/runbooks/upgrade.md). Steps that only the database has beside steps that only this release has are of two releases
 * that do not follow each other.
 */
export function missingSteps(applied: readonly string[], known: readonly string[]): readonly string[] {
  const missing = known.filter((name) => !applied.includes(name)).toSorted()
  const [first] = missing
  const newer = newerSteps(applied, known)
  if (first !== undefined && newer.length > 0)
    throw new Error(
      `the database has steps of another release (${newer.join(', ')}) and lacks steps of this one (${missing.join(', ')}): ` +
        'run migrate of the release that has both; nothing was applied',
    )
  const last = applied.toSorted().at(-1)
  if (first !== undefined && last !== undefined && first < last)
    throw new Error(`the migration ${first} would run after ${last}, which is applied: give it a higher number`)
  return missing
}

/** The applied steps that this release does not know. */
export function newerSteps(applied: readonly string[], known: readonly string[]): readonly string[] {
  return applied.filter((name) => !known.includes(name)).toSorted()
}
