import { migrate } from '@sealpost/postgres'
import { Client } from 'pg'
import { regionMigrations } from './tables.ts'

/** One connection's steps, in the order in which the other side's handler wrote them. */
export interface Step {
  readonly connection: number
  readonly n: number
  readonly life: string
}

/** Reads a region's database from outside, past the program under test. */
export interface Books {
  heard(): Promise<ReadonlyMap<number, readonly Step[]>>
  told(): Promise<ReadonlyMap<number, readonly Step[]>>
  count(sql: string): Promise<number>
  close(): Promise<void>
}

export async function openBooks(url: string): Promise<Books> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const steps = async (sql: string) => {
    const { rows } = await client.query<Step>(sql)
    return Map.groupBy(rows, ({ connection }) => connection)
  }
  return {
    heard: () => steps('select connection, n, life from heard order by no'),
    told: () => steps('select connection, n, life from told order by connection, n'),
    async count(sql) {
      const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${sql}`)
      return Number(rows[0]?.count)
    },
    close: () => client.end(),
  }
}

/** A new, empty region database on the given server; answers its URL. */
export async function createRegionDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = serverUrl.replace(/\/postgres$/, `/${name}`)
  await migrate(url, regionMigrations)
  return url
}
