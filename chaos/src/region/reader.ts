import { busMigrations } from '@sealpost/bus'
import { migrate, joinMigrations, type MigrationSet, sqlMigration } from '@sealpost/postgres'
import { withClient } from '@sealpost/testkit'
import { Client } from 'pg'
import type { Step, Steps } from './steps.ts'

/** Reads a region's database directly, not through the program under test. */
export interface RegionReader {
  /** In the order in which the handler wrote them. */
  received(): Promise<Steps>
  sent(): Promise<Steps>
  /** `sql`: what follows `from`. */
  count(sql: string): Promise<number>
  close(): Promise<void>
}

export async function openRegionReader(url: string): Promise<RegionReader> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const steps = async (sql: string): Promise<Steps> => {
    const { rows } = await client.query<Step>(sql)
    return Map.groupBy(rows, ({ connection }) => connection)
  }
  return {
    received: () => steps('select connection, n, run from received order by no'),
    sent: () => steps('select connection, n, run from sent order by connection, n'),
    async count(sql) {
      const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${sql}`)
      return Number(rows[0]?.count)
    },
    close: () => client.end(),
  }
}

/** Creates an empty region database on the server and returns its URL. */
export async function createRegionDatabase(serverUrl: string, name: string): Promise<string> {
  await withClient(serverUrl, (client) => client.query(`create database ${name}`))
  const url = serverUrl.replace(/\/postgres$/, `/${name}`)
  await migrate(url, regionMigrations)
  return url
}

/** `sent`: a row written in the transaction of its tell. `received`: written by the handler of a tell, numbered in its order. */
const create = `
create table sent (
  connection integer not null,
  n          integer not null,
  run        text    not null,
  primary key (connection, n)
);
create table received (
  no         bigserial primary key,
  connection integer   not null,
  n          integer   not null,
  run        text      not null
);
create index received_connection on received (connection, no)`

const regionMigrations: MigrationSet = joinMigrations(busMigrations, {
  '0001_chaos_create': sqlMigration(create),
})
