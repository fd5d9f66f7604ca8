import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { seedConnection } from './rows.ts'

/**
 * Reads the rows of a connection with a prepared statement over one PostgreSQL connection, without the product. A line
 * `N FAMILY COUNT SERVICE SCHEMA` on stdin makes N reads; the answer is `done ROWS`.
 */
const sqlOf = (
  schema: string,
): string => `select c.id, c.customer_id, c.customer_type, c.share_code, c.display_name, c.connected_at, s.request_field_id,
  s.state, s.live, s.is_private, s.value, s.content_sha256, s.attested, s.updated_at, s.provided_at, s.expires_at
from ${schema}.connection c
join ${schema}.slot s on s.service_id = c.service_id and s.connection_id = c.id
where c.service_id = $1 and c.id = $2`

const client = new Client({ connectionString: process.env['DATABASE_URL'], application_name: 'bench-bare' })
await client.connect()
for await (const line of createInterface({ input: process.stdin })) {
  const [reads = 0, family = 0, count = 1] = line.split(' ').map(Number)
  const [serviceId, schema = ''] = line.split(' ').slice(3)
  const text = sqlOf(schema)
  let rows = 0
  for (let read = 0; read < reads; read += 1) {
    const { id } = seedConnection(family, Math.floor(Math.random() * count))
    const answer = await client.query({ name: schema, text, values: [serviceId, id] })
    rows += answer.rows.length
  }
  process.stdout.write(`done ${rows}\n`)
}
await client.end()
