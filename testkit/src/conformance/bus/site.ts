import { connect, type NatsConnection } from '@nats-io/transport-node'
import {
  type AskContract,
  type Attachments,
  type Bus,
  busMigrations,
  type BusOptions,
  DIRECTORY,
  parseParty,
  type Parties,
  type Party,
  type TellContract,
} from '@sealpost/bus'
import { inboxPrefix, loginWith } from '@sealpost/bus/credentials'
import { createIds, instant, type Secret } from '@sealpost/kernel'
import {
  type Database,
  joinMigrations,
  migrate,
  openDatabase,
  runStatement,
  sqlMigration,
  type Tx,
} from '@sealpost/postgres'
import { quietTelemetry, type Telemetry } from '@sealpost/telemetry'
import { type BusLogins, createBusLogins } from '../../engines/bus-logins.ts'
import { withClient } from '../../engines/client.ts'
import { startPrivateNats } from '../../engines/nats.ts'
import { startPrivatePostgres } from '../../engines/postgres.ts'
import type { PrivateEngine } from '../../engines/private-engine.ts'
import { waitUntil } from '../../engines/wait-until.ts'

export type OpenBus = (options: BusOptions) => Bus

export const EU = parseParty('eu')
export const US = parseParty('us')
export { DIRECTORY }

/** Two regions and a directory on engines of their own: some promises need one of them to die. */
export interface BusSite {
  readonly nats: { readonly eu: PrivateEngine; readonly us: PrivateEngine }
  readonly logins: BusLogins
  /** A connection to the NATS of a region, with the login of a party or with that of a user without limits. */
  connectTo(region: Party, as: Party | 'observer'): Promise<NatsConnection>
  /** A party on a fresh database, started with every role; closed by `close`. */
  open(party: Party, options?: OpenPartyOptions): Promise<BusParty>
  /** A backup: the database as it is now, under the name that is answered. Its party must be closed. */
  backUp(database: string): Promise<string>
  /** Closes what a failed test left open and brings both NATS back: the tests after it must not fail too. */
  tidy(): Promise<void>
  close(): Promise<void>
}

export interface OpenPartyOptions {
  /** Another bus on a database that exists already, e.g. a second process or a restart. */
  readonly database?: string
  readonly parties?: Parties
  readonly attachments?: Attachments
  readonly clock?: BusOptions['clock']
  readonly roles?: Partial<BusOptions['roles']>
  readonly telemetry?: Telemetry
  readonly switches?: BusOptions['switches']
  readonly historyHours?: number
  readonly processName?: string
  /** Runs before `start`; unless told, `note` tells are written to the table `heard`. */
  register?(bus: Bus): void
}

export interface BusParty {
  readonly bus: Bus
  readonly database: Database
  readonly databaseName: string
  tellNote(to: Party, key: string, text: string): Promise<void>
  /** The texts that `note` tells brought, in the order they were applied. */
  heard(key?: string): Promise<readonly string[]>
  waitUntilHeard(count: number, key?: string): Promise<readonly string[]>
  /** Resolves when the other side has confirmed everything that was told. */
  waitUntilConfirmed(): Promise<void>
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  run(sql: string): Promise<void>
  /** Ends the bus and its database connections, keeping the data. */
  close(): Promise<void>
}

export const note: TellContract<{ readonly text: string }> = { kind: 'test.note', version: 1, parse: parseText }

export const echo: AskContract<{ readonly text: string }, { readonly text: string }> = {
  command: 'test.echo',
  idempotency: 'none',
  parse: parseText,
  parseReply: parseText,
}

export const record: AskContract<{ readonly text: string }, { readonly text: string }> = {
  ...echo,
  command: 'test.record',
  idempotency: 'stored',
}

export const WAIT_MS = 20_000
/** A busy machine is no outage; tests of time-outs name their own. */
const ASK_TIMEOUT_MS = 10_000
const testMigrations = joinMigrations(busMigrations, {
  '0001_test_create': sqlMigration(`
    create table heard (no bigserial primary key, source text, key text, text text, attachment text);
    create table kept (object_key text);
  `),
})

export async function openSite(openBus: OpenBus): Promise<BusSite> {
  const logins = createBusLogins()
  const accounts = { eu: logins.server(EU), us: logins.server(US) }
  const [postgres, eu, us] = await Promise.all([
    // No test ends it, so it never waits for a disk.
    startPrivatePostgres({ settings: { fsync: 'off', full_page_writes: 'off' }, inMemory: true }),
    startPrivateNats({ account: accounts.eu }),
    startPrivateNats({ account: accounts.us }),
  ])
  const partiesFor = (self: Party): Parties => ({
    eu: { servers: [eu.url], key: logins.key(self, EU) },
    us: { servers: [us.url], key: logins.key(self, US) },
    directory: null,
  })
  const open: BusParty[] = []
  const connections: NatsConnection[] = []
  let made = 0
  let template: Promise<string> | null = null
  const closeClients = async (): Promise<void> => {
    for (const party of open.splice(0)) await party.close()
    for (const connection of connections.splice(0)) await connection.close()
  }
  return {
    nats: { eu, us },
    logins,
    async connectTo(region, as) {
      const [server, { observer }] = region === EU ? [eu, accounts.eu] : [us, accounts.us]
      const key = as === 'observer' ? observer : logins.key(as, region)
      const connection = await connectWith(server.url, key, as === 'observer' ? '_INBOX.observer' : inboxPrefix(as))
      connections.push(connection)
      return connection
    },
    async open(self, options = {}) {
      const name = options.database ?? `${self}_${(made += 1)}`
      const url = postgres.url.replace(/\/postgres$/, `/${name}`)
      if (options.database === undefined) {
        const migrated = await (template ??= makeTemplate(postgres.url))
        await administer(postgres.url, `create database ${name} template ${migrated}`)
      }
      const database = openDatabase({ url, poolSize: 10, connectTimeoutMs: WAIT_MS, lockTimeoutMs: WAIT_MS })
      const bus = openBus({
        self,
        parties: options.parties ?? partiesFor(self),
        database,
        telemetry: options.telemetry ?? quietTelemetry(),
        clock: options.clock ?? systemClock,
        ids,
        roles: { relay: true, inbox: true, responder: true, ...options.roles },
        askTimeoutMs: ASK_TIMEOUT_MS,
        ...(options.attachments === undefined ? {} : { attachments: options.attachments }),
        ...(options.switches === undefined ? {} : { switches: options.switches }),
        ...(options.historyHours === undefined ? {} : { historyHours: options.historyHours }),
        ...(options.processName === undefined ? {} : { processName: options.processName }),
      })
      if (options.register === undefined) bus.onTell(note, writeHeard)
      else options.register(bus)
      await bus.start()
      const party = partyOf(bus, database, name)
      open.push(party)
      return party
    },
    async backUp(database) {
      const name = `${database}_backup_${(made += 1)}`
      await administer(postgres.url, `create database ${name} template ${database}`)
      return name
    },
    async tidy() {
      for (const nats of [eu, us]) {
        nats.thaw()
        if (!nats.isRunning()) await nats.start()
      }
      await closeClients()
    },
    async close() {
      await closeClients()
      await Promise.all([postgres.remove(), eu.remove(), us.remove()])
    },
  }
}

export function connectWith(url: string, key: Secret<string>, prefix: string): Promise<NatsConnection> {
  return connect({ servers: url, inboxPrefix: prefix, authenticator: loginWith(key), reconnect: false })
}

export const systemClock: BusOptions['clock'] = { now: () => instant(Date.now()) }
export const ids: BusOptions['ids'] = createIds(systemClock, {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
})

export async function writeHeard(
  tx: Tx,
  message: { readonly from: Party; readonly key: string; readonly body: { readonly text: string } },
): Promise<void> {
  const values = [message.from, message.key, message.body.text]
  await runStatement(tx, 'insert into heard (source, key, text) values ($1, $2, $3)', values)
}

export function parseText(value: unknown): { readonly text: string } {
  if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string')
    return { text: value.text }
  throw new Error('expected { text }')
}

function partyOf(bus: Bus, database: Database, databaseName: string): BusParty {
  let isClosed = false
  const heard: BusParty['heard'] = async (key) => {
    const sql = 'select text from heard where $1::text is null or key = $1 order by no'
    const rows = await database.read((read) => runStatement<{ text: string }>(read, sql, [key ?? null]))
    return rows.map((row) => row.text)
  }
  return {
    bus,
    database,
    databaseName,
    tellNote: (to, key, text) => database.transaction((tx) => bus.tell(tx, note, { to, key, body: { text } })),
    heard,
    async waitUntilHeard(count, key) {
      await waitUntil(`${count} notes were heard`, WAIT_MS, async () => (await heard(key)).length >= count)
      return heard(key)
    },
    async waitUntilConfirmed() {
      const sql = 'select 1 from bus.lane where pending'
      const isConfirmed = async () => (await database.read((read) => runStatement(read, sql, []))).length === 0
      await waitUntil('every tell is confirmed', WAIT_MS, isConfirmed)
    },
    rows: (sql, values = []) => database.read((read) => runStatement(read, sql, values)),
    run: (sql) => database.transaction(async (tx) => void (await runStatement(tx, sql, []))),
    async close() {
      if (isClosed) return
      isClosed = true
      await bus.close()
      await database.close()
    },
  }
}

/** A database with the tables, which is copied: to migrate each one takes longer. */
async function makeTemplate(server: string): Promise<string> {
  const name = 'migrated'
  await administer(server, `create database ${name}`)
  await migrate(server.replace(/\/postgres$/, `/${name}`), testMigrations)
  return name
}

async function administer(url: string, sql: string): Promise<void> {
  await withClient(url, (client) => client.query(sql))
}
