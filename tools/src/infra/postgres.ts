import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { locatePrimary } from '@sealpost/postgres'
import {
  type Command,
  findPostgresPrograms,
  POSTGRES_USER,
  runCommand,
  runsAsRoot,
  withClient,
} from '@sealpost/testkit/engines'
import { type Client, DatabaseError, escapeIdentifier } from 'pg'
import type { EnginePlan } from './engine.ts'
import { checkoutName, localFolder } from './local-folder.ts'
import { startAtPort } from './ports.ts'

const PREFERRED_PORT = 5432
const DAEMON = 'postgres'
const NO_SUCH_DATABASE = '3D000'
// A regular expression, because `URL` cannot parse a list of hosts.
const DATABASE_PATH = /^([^/]*\/\/[^/]*\/)([^?]+)/

/** One server with a database per site and checkout; our role must be allowed to create databases. */
export function planPostgres(): EnginePlan {
  return {
    daemon: DAEMON,
    wellKnownUrl: serverUrl(PREFERRED_PORT),
    answers: mayCreateDatabases,
    packages: findPostgresPrograms() === null ? ['postgresql'] : [],
    start: startPostgres,
  }
}

/** Creates the database unless it exists; resolves when it answers. */
export async function ensureDatabase(databaseUrl: string): Promise<void> {
  try {
    await atPrimary(databaseUrl, (client) => client.query('select 1'))
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== NO_SUCH_DATABASE) throw error
    await runOnServer(databaseUrl, `create database ${escapeIdentifier(databaseName(databaseUrl))}`)
  }
}

/** Deletes all data, also while clients are connected. */
export async function recreateDatabase(databaseUrl: string): Promise<void> {
  await dropDatabase(databaseUrl)
  await ensureDatabase(databaseUrl)
}

export async function dropDatabase(databaseUrl: string): Promise<void> {
  await runOnServer(databaseUrl, `drop database if exists ${escapeIdentifier(databaseName(databaseUrl))} with (force)`)
}

async function runOnServer(databaseUrl: string, sql: string): Promise<void> {
  await atPrimary(maintenanceUrl(databaseUrl), (client) => client.query(sql))
}

async function startPostgres(): Promise<string> {
  const bin = findPostgresPrograms()
  if (bin === null) throw new Error('PostgreSQL is not installed')
  const folder = await clusterFolder()
  const data = join(folder, 'cluster')
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const args = ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8']
    await runCommand({ file: join(bin, 'initdb'), args, user: POSTGRES_USER })
  }
  return startAtPort({
    daemon: DAEMON,
    preferredPort: PREFERRED_PORT,
    urlAt: serverUrl,
    commandAt: (port) => serverCommand(bin, data, port),
    answers: mayCreateDatabases,
  })
}

function serverCommand(bin: string, data: string, port: number): Command {
  // Our server does not run: a power cut left this file, and its pid may belong to another process now.
  rmSync(join(data, 'postmaster.pid'), { force: true })
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'max_connections=300']
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  return { file: join(bin, 'postgres'), args, user: POSTGRES_USER }
}

/** Under `.local`, unless the server's user has no access there, as in root's home. */
async function clusterFolder(): Promise<string> {
  const folder = localFolder('postgres')
  if (!runsAsRoot()) return folder
  await runCommand({ file: 'chown', args: [POSTGRES_USER, folder] })
  const isReachable = await runCommand({ file: 'test', args: ['-w', folder], user: POSTGRES_USER }).then(
    () => true,
    () => false,
  )
  if (isReachable) return folder
  const elsewhere = `/var/lib/postgresql/sealpost-${checkoutName()}`
  mkdirSync(elsewhere, { recursive: true })
  await runCommand({ file: 'chown', args: [POSTGRES_USER, elsewhere] })
  return elsewhere
}

async function mayCreateDatabases(server: string): Promise<boolean> {
  const sql = 'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user'
  try {
    return await atPrimary(`${server}/postgres`, async (client) => {
      const { rows } = await client.query<{ may: boolean }>(sql)
      return rows[0]?.may === true
    })
  } catch {
    return false
  }
}

async function atPrimary<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connectionString = await locatePrimary(url)
  return withClient({ connectionString, connectionTimeoutMillis: 5000, application_name: 'sealpost-infra' }, work)
}

function serverUrl(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}`
}

function databaseName(databaseUrl: string): string {
  return DATABASE_PATH.exec(databaseUrl)?.[2] ?? 'postgres'
}

function maintenanceUrl(databaseUrl: string): string {
  return databaseUrl.replace(DATABASE_PATH, '$1postgres')
}
