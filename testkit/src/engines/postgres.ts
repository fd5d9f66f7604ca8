import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withClient } from './client.ts'
import { reservePort } from './ports.ts'
import type { PrivateEngine } from './private-engine.ts'
import { runCommand, runsAsRoot } from './processes.ts'
import { type LaunchingEngine, preparePrivateEngine } from './run-private-engine.ts'
import { waitUntil } from './wait-until.ts'

export interface PrivatePostgresOptions {
  /** Server settings by name, e.g. `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Its data does not touch a disk, as far as this machine can: for servers whose data is not needed after the run. */
  readonly inMemory?: boolean
  /** Where the cluster of the first server is kept for the next ones. */
  readonly keptIn?: string
}

export interface PrivatePostgres extends PrivateEngine {
  readonly port: number
  /** Ends it as an operator does, with open transactions rolled back, and starts it again; resolves when it answers. */
  restart(): Promise<void>
  /** From now on no commit is acknowledged before a standby has it on disk, too; resolves when one follows. */
  requireStandby(): Promise<void>
  /** Ends recovery; resolves when the server takes writes. */
  promote(): Promise<void>
  /** Throws its data away and comes back on the same port as a standby of `primary`. */
  follow(primary: PrivatePostgres): Promise<void>
  /** Resolves when this standby has replayed everything that `primary` has written so far. */
  catchUpWith(primary: PrivatePostgres): Promise<void>
}

const CATCH_UP_DEADLINE_MS = 15_000
const FOLLOW_DEADLINE_MS = 15_000
/** initdb and the server refuse to run as root. */
export const POSTGRES_USER = 'postgres'
const KEPT_CLUSTERS = join(import.meta.dirname, '../../../.local/clusters')

export async function startPrivatePostgres(options: PrivatePostgresOptions = {}): Promise<PrivatePostgres> {
  const server = await preparePostgres(options)
  await server.start()
  return server
}

/** A hot standby by streaming replication; it serves reads until it is promoted. */
export async function startPrivateStandby(
  primary: PrivatePostgres,
  options: PrivatePostgresOptions = {},
): Promise<PrivatePostgres> {
  const standby = await preparePostgres(options)
  await standby.follow(primary)
  return standby
}

/** The newest installed server's programs; Debian keeps them off the PATH. */
export function findPostgresPrograms(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one)) : []
  const newest = versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
  return newest ?? null
}

export async function answersSql(url: string): Promise<boolean> {
  const server = { connectionString: url, connectionTimeoutMillis: 2000 }
  return withClient(server, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  )
}

async function preparePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const { port, release } = await reservePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let source: PrivatePostgres | null = null
  let data = ''
  const engine = preparePrivateEngine({
    name: 'postgres',
    url,
    answers: () => answersSql(url),
    release,
    inMemory: options.inMemory ?? false,
    async launch(launching) {
      data = join(launching.folder, 'cluster')
      await createCluster(launching, source, options.keptIn ?? KEPT_CLUSTERS)
      launchServer(launching, port, options.settings ?? {})
    },
  })
  return {
    ...engine,
    port,
    async restart() {
      const args = ['-D', data, '-m', 'fast', '-w', 'stop']
      await runCommand({ file: program('pg_ctl'), args, user: POSTGRES_USER })
      // It has let go of its data, but on a busy machine its process may not have ended yet.
      await engine.kill()
      await engine.start()
    },
    requireStandby: () => requireStandby(url),
    async promote() {
      await ask(url, 'select pg_promote(true, 30)')
      source = null
    },
    async follow(primary) {
      await engine.kill()
      await engine.wipe()
      source = primary
      await engine.start()
    },
    async catchUpWith(primary) {
      const position = await ask(primary.url, 'select pg_current_wal_lsn()::text as answer')
      await waitUntil(`the standby has replayed ${position}`, CATCH_UP_DEADLINE_MS, async () => {
        const sql = `select (pg_last_wal_replay_lsn() >= '${position}')::text as answer`
        return (await ask(url, sql)) === 'true'
      })
    },
  }
}

/** Any standby will do. Set only now: before one follows, every commit would wait. */
async function requireStandby(url: string): Promise<void> {
  await ask(url, `alter system set synchronous_standby_names = '*'`)
  await ask(url, 'select pg_reload_conf()')
  const sql = `select count(*)::text as answer from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`
  await waitUntil('a synchronous standby follows', FOLLOW_DEADLINE_MS, async () => (await ask(url, sql)) !== '0')
}

async function createCluster(
  { folder }: LaunchingEngine,
  source: PrivatePostgres | null,
  keptIn: string,
): Promise<void> {
  const data = join(folder, 'cluster')
  if (existsSync(data)) return
  if (runsAsRoot()) {
    chmodSync(dirname(folder), 0o755)
    await runCommand({ file: 'chown', args: [POSTGRES_USER, folder] })
  }
  const as = { user: POSTGRES_USER }
  if (source === null) {
    await createEmptyCluster(data, keptIn)
  } else {
    const from = ['-h', '127.0.0.1', '-p', String(source.port), '-U', 'postgres']
    const args = ['-D', data, ...from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
    await runCommand({ file: program('pg_basebackup'), args, ...as })
  }
}

/** `initdb` takes most of a second of CPU time: what the first one has made is kept, and copied. */
async function createEmptyCluster(data: string, keptIn: string): Promise<void> {
  const initdb = program('initdb')
  const options = ['-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  const version = createHash('sha256')
    .update([initdb, statSync(initdb).mtimeMs, ...options].join(' '))
    .digest('hex')
  const kept = join(keptIn, version.slice(0, 16))
  if (existsSync(kept)) {
    await runCommand({ file: 'cp', args: ['-a', kept, data] })
    return
  }
  await runCommand({ file: initdb, args: ['-D', data, ...options], user: POSTGRES_USER })
  mkdirSync(keptIn, { recursive: true })
  // A process may start several servers at once.
  const unfinished = mkdtempSync(`${kept}-`)
  await runCommand({ file: 'cp', args: ['-a', data, join(unfinished, 'cluster')] })
  try {
    renameSync(join(unfinished, 'cluster'), kept)
  } catch {
    // Another one has been kept in between.
  } finally {
    rmSync(unfinished, { recursive: true })
  }
}

function launchServer({ folder, processes }: LaunchingEngine, port: number, settings: Record<string, string>): void {
  const data = join(folder, 'cluster')
  // Left behind by SIGKILL; the number in it may belong to another process by now, and the server would refuse.
  rmSync(join(data, 'postmaster.pid'), { force: true })
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    shared_buffers: '64MB',
    // In its own folder: what it keeps elsewhere stays behind when it is killed.
    dynamic_shared_memory_type: 'mmap',
    wal_keep_size: '256MB',
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  processes.launch({ file: program('postgres'), args: ['-D', data, ...flags], user: POSTGRES_USER })
}

function program(name: string): string {
  const bin = findPostgresPrograms()
  if (bin === null) throw new Error('PostgreSQL is not installed: run npm run infra first')
  return join(bin, name)
}

async function ask(url: string, sql: string): Promise<string> {
  const { rows } = await withClient(url, (client) => client.query<{ answer: string }>(sql))
  return String(rows[0]?.answer)
}
