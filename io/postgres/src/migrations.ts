import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'

/** Named steps, applied in the order of their names: `0003_services_create`. The number is unique in one database. */
export type MigrationSet = Readonly<Record<string, Migration>>

/** Joins the sets of several modules; two steps of one name are a mistake that would hide one of them. */
export function joinMigrations(...sets: readonly MigrationSet[]): MigrationSet {
  const joined: Record<string, Migration> = {}
  for (const [name, migration] of sets.flatMap((set) => Object.entries(set))) {
    if (joined[name] !== undefined) throw new Error(`two migrations are called ${name}`)
    joined[name] = migration
  }
  return joined
}

/** A step written as SQL; there is no way down: a released step is mended by a later one. */
export function sqlMigration(text: string): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(text).execute(db)
    },
  }
}

/** Applies what is missing and answers the names applied. Racing callers are safe: one applies, the others wait. */
export async function migrate(url: string, migrations: MigrationSet): Promise<readonly string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'sealpost-migrate' })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
      migrationTableSchema: 'public',
    })
    const { error, results } = await migrator.migrateToLatest()
    if (error !== undefined) throw error instanceof Error ? error : new Error(`migration failed: ${String(error)}`)
    return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}
