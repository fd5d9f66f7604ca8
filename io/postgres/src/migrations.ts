import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Client, Pool } from 'pg'
import { locatePrimary } from './find-primary.ts'

/** Named steps, applied in the order of their names: `0003_services_create`. The number is unique in one database. */
export type MigrationSet = Readonly<Record<string, Migration>>

const CONNECT_TIMEOUT_MS = 10_000
/** Longer waits for a table would hold up everybody who comes after: fail, and try again at a quieter time. */
const LOCK_TIMEOUT_MS = 10_000
const MIGRATORS_LOCK = 'sealpost migrations'

/** Joins the sets of several modules; two steps of one name are a mistake that would hide one of them. */
export function joinMigrations(...sets: readonly MigrationSet[]): MigrationSet {
  const joined: Record<string, Migration> = {}
  for (const [name, migration] of sets.flatMap((set) => Object.entries(set))) {
    if (joined[name] !== undefined) throw new Error(`two migrations are called ${name}`)
    joined[name] = migration
  }
  return joined
}

export interface SqlMigration extends Migration {
  /** Its text, so that two sets can be told apart by what they do. */
  readonly source: string
}

/** A step written as SQL; there is no way down: a released step is mended by a later one. */
export function sqlMigration(text: string): SqlMigration {
  return {
    source: text,
    async up(db: Kysely<unknown>) {
      await sql.raw(text).execute(db)
    },
  }
}

/** Applies what is missing and answers the names applied. Racing callers are safe: one applies, the others wait. */
export async function migrate(url: string, migrations: MigrationSet): Promise<readonly string[]> {
  const primary = await locatePrimary(url, CONNECT_TIMEOUT_MS)
  return withMigratorsLock(primary, () => applyMissing(primary, migrations))
}

/** The lock lives as long as its connection, so that a migrator that dies never keeps the others out. */
async function withMigratorsLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sealpost-migrate-lock',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [MIGRATORS_LOCK])
    return await work()
  } finally {
    await client.end()
  }
}

async function applyMissing(url: string, migrations: MigrationSet): Promise<readonly string[]> {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    max: 2,
    lock_timeout: LOCK_TIMEOUT_MS,
    application_name: 'sealpost-migrate',
  })
  pool.on('error', () => {})
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
      migrationTableSchema: 'public',
    })
    const { error, results } = await migrator.migrateToLatest()
    if (error !== undefined) throw error instanceof Error ? error : new Error('migration failed', { cause: error })
    return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}
