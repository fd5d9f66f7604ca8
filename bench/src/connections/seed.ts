import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withClient } from '@sealpost/testkit'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { vacuum } from '../database.ts'
import { randomText, seedConnection, wrapperText } from './rows.ts'

export interface Seeding {
  readonly companyId: string
  readonly serviceId: string
  /** The ids of the request rows that every connection has answered. */
  readonly fields: readonly string[]
  readonly count: number
  /** Another number for each service. */
  readonly family: number
}

const BATCH = 20_000
const CONNECTED_AT = '2026-01-01 00:00:00+00'
const PUBLIC_KEY = 'A'.repeat(392)

/** Fills one service with connections by COPY, in batches, because the server is shared. */
export async function seedConnections(
  databaseUrl: string,
  seeding: Seeding,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (let from = 0; from < seeding.count; from += BATCH) {
      const to = Math.min(seeding.count, from + BATCH)
      await copyLines(client, CONNECTIONS, connectionLines(seeding, from, to))
      await copyLines(client, SLOTS, slotLines(seeding, from, to))
      onProgress(to)
    }
    await countCustomers(client, seeding)
  })
}

export async function vacuumConnections(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    vacuum(client, 'connections_service.connection', 'connections_service.slot'),
  )
}

/** A copy that never changes: reading it shows how fast the server is at the moment. */
export const COPY_SCHEMA = 'bench_copy'

export async function copyAside(databaseUrl: string, { serviceId, family }: Seeding, count: number): Promise<void> {
  const { id: last } = seedConnection(family, count - 1)
  await withClient(databaseUrl, async (client) => {
    await client.query(`create schema ${COPY_SCHEMA}`)
    for (const [table, column] of [
      ['connection', 'id'],
      ['slot', 'connection_id'],
    ]) {
      await client.query(`create table ${COPY_SCHEMA}.${table} (like connections_service.${table} including indexes)`)
      await client.query(
        `insert into ${COPY_SCHEMA}.${table} select * from connections_service.${table} where service_id = $1 and ${column} <= $2`,
        [serviceId, last],
      )
      await client.query(`vacuum (analyze) ${COPY_SCHEMA}.${table}`)
    }
  })
}

const CONNECTIONS = `copy connections_service.connection (service_id, id, company_id, customer_id, customer_region,
  customer_type, share_code, display_name, public_key, connected_at) from stdin`
const SLOTS = `copy connections_service.slot (service_id, connection_id, request_field_id, state, rev, live, is_private,
  value, updated_at, provided_at) from stdin`

function copyLines(client: Client, sql: string, lines: Iterable<string>): Promise<void> {
  return pipeline(Readable.from(inBlocks(lines)), client.query(copyFrom(sql)))
}

/** Joins lines: a write per line is slow. */
function* inBlocks(lines: Iterable<string>): Generator<string> {
  let block: string[] = []
  for (const line of lines) {
    block.push(line)
    if (block.length < 500) continue
    yield block.join('')
    block = []
  }
  if (block.length > 0) yield block.join('')
}

function* connectionLines({ serviceId, companyId, family }: Seeding, from: number, to: number): Generator<string> {
  for (let number = from; number < to; number += 1) {
    const { id, customerId } = seedConnection(family, number)
    const shareCode = `C${family}N${number}`
    yield `${serviceId}\t${id}\t${companyId}\t${customerId}\tus\tperson\t${shareCode}\tCustomer ${number}\t${PUBLIC_KEY}\t${CONNECTED_AT}\n`
  }
}

function* slotLines({ serviceId, fields, family }: Seeding, from: number, to: number): Generator<string> {
  const source = randomText()
  for (let number = from; number < to; number += 1) {
    const { id } = seedConnection(family, number)
    for (const field of fields) {
      const value = wrapperText(source)
      yield `${serviceId}\t${id}\t${field}\tanswered\t1\tt\tt\t${value}\t${CONNECTED_AT}\t${CONNECTED_AT}\n`
    }
  }
}

/** Sets the counters that connecting would have set; with the revision of the service, so that its rows can be cached. */
async function countCustomers(client: Client, { serviceId, companyId, count }: Seeding): Promise<void> {
  await client.query(
    `insert into connections_service.customer_region (service_id, region, customers, rev)
    values ($1, 'us', $2, coalesce((select rev from services.service where company_id = $3 and id = $1), 1))`,
    [serviceId, count, companyId],
  )
}
