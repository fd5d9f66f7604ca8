import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Pool as Connections } from 'pg'
import { Pool } from 'undici'

/**
 * Deliveries without the product: concurrent senders read rows of a queue and sign, send and delete them one by one. The row
 * is deleted whatever the answer is; there is no retry, no backoff and no log. A line `URL SENDERS` on stdin empties the
 * queue; the answer is `done COUNT`.
 */
interface Row {
  readonly id: string
  readonly event_id: string
  readonly event: Readonly<Record<string, unknown>>
}

const database = new Connections({
  connectionString: process.env['DATABASE_URL'],
  application_name: 'bench-bare',
  max: Number(process.env['DATABASE_POOL']),
})
await database.query('select 1')
const platformKey = createSecretKey(randomBytes(44))
const standardKey = createSecretKey(randomBytes(32))

for await (const line of createInterface({ input: process.stdin })) {
  const [url = '', senders = '0'] = line.split(' ')
  const sent = url === '' ? 0 : await empty(new URL(url), Number(senders))
  process.stdout.write(`done ${sent}\n`)
}

async function empty(url: URL, senders: number): Promise<number> {
  const receivers = new Pool(url.origin, { connections: senders, pipelining: 1 })
  const sent = await Promise.all(
    Array.from({ length: senders }, (_, sender) => emptyQueue(receivers, url.pathname, sender)),
  )
  await receivers.close()
  return sent.reduce((sum, one) => sum + one, 0)
}

async function emptyQueue(receivers: Pool, path: string, sender: number): Promise<number> {
  const sql = 'select id, event_id, event from bench.queue where sender = $1 order by id'
  const { rows } = await database.query<Row>({ name: 'read', text: sql, values: [sender] })
  for (const row of rows) {
    await send(receivers, `${path}${sender}`, row)
    await database.query({ name: 'delete', text: 'delete from bench.queue where id = $1', values: [row.id] })
  }
  return rows.length
}

async function send(receivers: Pool, path: string, { event_id: id, event }: Row): Promise<void> {
  const body = Buffer.from(JSON.stringify(event))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const standard = createHmac('sha256', standardKey).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const answer = await receivers.request({
    method: 'POST',
    path,
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-platform-signature': createHmac('sha256', platformKey).update(body).digest('hex'),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${standard}`,
    },
  })
  await answer.body.dump()
}
