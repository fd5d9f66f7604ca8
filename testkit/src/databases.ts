import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { locatePrimary, migrate, type MigrationSet } from '@sealpost/postgres'
import { type Client, DatabaseError, escapeIdentifier } from 'pg'
import { withClient } from './engines/client.ts'
import { readEngines } from './engines/endpoints.ts'
import { isAlive } from './engines/processes.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

export interface TestDatabaseOptions {
  /** Whose tables these are: `directory`, `region`. */
  readonly template: string
  readonly migrations: MigrationSet
}

const PREFIX = 'sealpost_test'
// Process numbers mean something on one machine only, and the server may be shared.
const MACHINE = digest(hostname(), 6)
// Without an underscore, or one template's name could be the beginning of another's.
const TEMPLATE_NAME = /^[a-z0-9]{1,16}$/
const NO_SUCH_DATABASE = '3D000'
const CLONE_ATTEMPTS = 3
const PAUSE_MS = 50

let clones = 0
let sweeping: Promise<void> | null = null

/**
 * A database of its own for one test file, copied from a template that is migrated once for each set of migrations:
 * a copy takes tens of milliseconds, a migration grows with the product.
 */
export async function createTestDatabase({ template, migrations }: TestDatabaseOptions): Promise<TestDatabase> {
  const server = await locatePrimary(readEngines().directory.postgresUrl)
  sweeping ??= dropLeftovers(server)
  await sweeping
  if (!TEMPLATE_NAME.test(template)) throw new Error(`a template is called ${String(TEMPLATE_NAME)}, not ${template}`)
  const source = `${PREFIX}_template_${template}_${fingerprint(migrations)}`
  const name = `${PREFIX}_clone_${MACHINE}_${process.pid}_${(clones += 1)}`
  for (let attempt = 1; ; attempt += 1) {
    await ensureTemplate(server, source, migrations)
    try {
      await run(server, `create database ${escapeIdentifier(name)} template ${escapeIdentifier(source)}`)
      return { url: urlOf(server, name), drop: () => dropDatabase(server, name) }
    } catch (error) {
      // Another checkout with other migrations has just replaced the template, or a reset has dropped it.
      const hasVanished = error instanceof DatabaseError && error.code === NO_SUCH_DATABASE
      if (!hasVanished || attempt === CLONE_ATTEMPTS) throw error
    }
  }
}

/** Drops every clone and template, also those in use; answers how many there were. */
export async function dropTestDatabases(databaseUrl: string): Promise<number> {
  const server = await locatePrimary(databaseUrl)
  const names = await databasesLike(server, `${PREFIX}_`)
  for (const name of names) await dropDatabase(server, name)
  return names.length
}

/** Resolves when no clone of this machine's living processes is left; false past the deadline. */
export async function testDatabasesDropped(databaseUrl: string, deadlineMs: number): Promise<boolean> {
  const server = await locatePrimary(databaseUrl)
  const end = performance.now() + deadlineMs
  while ((await databasesLike(server, `${PREFIX}_clone_${MACHINE}_`)).length > 0) {
    if (performance.now() > end) return false
    await pause(PAUSE_MS)
  }
  return true
}

/** Test processes build the template one at a time; who comes later finds it ready. */
async function ensureTemplate(server: string, name: string, migrations: MigrationSet): Promise<void> {
  if ((await databasesLike(server, name)).includes(name)) return
  await atServer(server, async (client) => {
    const withoutFingerprint = name.slice(0, name.lastIndexOf('_') + 1)
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [withoutFingerprint])
    if ((await databasesLike(server, name)).includes(name)) return
    for (const older of await databasesLike(server, withoutFingerprint)) await dropDatabase(server, older)
    // It gets its name when it is complete, so that a run that is killed here leaves nothing half-made behind.
    const unfinished = `${name}_unfinished`
    await client.query(`create database ${escapeIdentifier(unfinished)}`)
    await migrate(urlOf(server, unfinished), migrations)
    await client.query(`alter database ${escapeIdentifier(unfinished)} rename to ${escapeIdentifier(name)}`)
  })
}

async function dropLeftovers(server: string): Promise<void> {
  const ours = `${PREFIX}_clone_${MACHINE}_`
  for (const name of await databasesLike(server, ours)) {
    const owner = Number(name.slice(ours.length).split('_')[0])
    if (!isAlive(owner)) await dropDatabase(server, name)
  }
}

function fingerprint(migrations: MigrationSet): string {
  const steps = Object.entries(migrations).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const texts = steps.map(([name, { source }]) => [name, source])
  // The table of applied steps is part of a database too.
  return digest(JSON.stringify(['public.migration', ...texts]), 12)
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}

async function databasesLike(server: string, start: string): Promise<readonly string[]> {
  return atServer(server, async (client) => {
    const sql = 'select datname from pg_database where starts_with(datname, $1) order by datname'
    const { rows } = await client.query<{ datname: string }>(sql, [start])
    return rows.map((row) => row.datname)
  })
}

async function dropDatabase(server: string, name: string): Promise<void> {
  await run(server, `drop database if exists ${escapeIdentifier(name)} with (force)`)
}

async function run(server: string, sql: string): Promise<void> {
  await atServer(server, (client) => client.query(sql))
}

function atServer<T>(server: string, work: (client: Client) => Promise<T>): Promise<T> {
  return withClient({ connectionString: urlOf(server, 'postgres'), application_name: 'sealpost-testkit' }, work)
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
