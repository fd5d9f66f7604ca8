import { createInterface } from 'node:readline'
import { Client } from 'pg'

/**
 * Drains pages of a feed over one PostgreSQL connection without the product: the events, their values and the cursor. No
 * lease, no answer, no checks, and no collapsing, because no seeded event has the key of another. A line
 * `FAMILY COMPANY OWNER…` on stdin drains a page of each owner; the answer is `done ROWS`.
 */
const PAGE = 500
const VISIBLE_MS = 7 * 86_400_000

const CURSOR = 'select cursor from feed.channel where owner_id = $1 and no = 0 for update'
const EVENTS = `
select e.no, e.id, e.kind, e.connection_id, e.payload, e.at from feed.event e
where e.owner_id = $1 and e.no > $2 and e.at > $3 order by e.no limit $4`
const REQUEST_ROWS =
  'select id, slug, type from services.request_row where company_id = $1 and service_id = $2 order by place'
const SLOTS = `
select connection_id, request_field_id, live, value, attested from connections_service.slot
where service_id = $1 and connection_id = any($2::uuid[]) and request_field_id = any($3::uuid[]) and state = 'answered'`
const MOVE = 'update feed.channel set cursor = $2 where owner_id = $1 and no = 0'

interface EventRow {
  readonly no: string
  readonly connection_id: string
}

const client = new Client({ connectionString: process.env['DATABASE_URL'], application_name: 'bench-bare' })
await client.connect()
for await (const line of createInterface({ input: process.stdin })) {
  const [family, companyId = '', ...owners] = line.trim().split(' ')
  let rows = 0
  for (const owner of owners) rows += await drain(owner, family === 'fields' ? companyId : null)
  process.stdout.write(`done ${rows}\n`)
}
await client.end()

async function drain(owner: string, companyId: string | null): Promise<number> {
  await client.query('begin')
  const [channel] = await run<{ cursor: string }>('cursor', CURSOR, [owner])
  const visibleFrom = new Date(Date.now() - VISIBLE_MS)
  const found = await run<EventRow>('events', EVENTS, [owner, channel?.cursor ?? 0, visibleFrom, PAGE + 1])
  const events = found.slice(0, PAGE)
  await run('move', MOVE, [owner, events.at(-1)?.no])
  await client.query('commit')
  if (companyId !== null) {
    const fields = await run<{ id: string }>('fields', REQUEST_ROWS, [companyId, owner])
    const connections = [...new Set(events.map((event) => event.connection_id))]
    await run('slots', SLOTS, [owner, connections, fields.map(({ id }) => id)])
  }
  return events.length
}

async function run<Row extends Record<string, unknown> | EventRow>(
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const { rows } = await client.query<Row & Record<string, unknown>>({ name, text, values: [...values] })
  return rows
}
