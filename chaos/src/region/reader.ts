import { migrate } from '@sealpost/postgres'
import { Client } from 'pg'
import type { Step, Steps } from './steps.ts'
import { regionMigrations } from './tables.ts'

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
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = serverUrl.replace(/\/postgres$/, `/${name}`)
  await migrate(url, regionMigrations)
  return url
}
