import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream'
import { connect, nkeyAuthenticator } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import { type ClientBase, Pool, type QueryConfig, type QueryResult } from 'pg'

/**
 * A login that a person approves, without the product: one script in Redis, the transactions of both sides, a message over
 * JetStream each way, a request over NATS, and events to open streams. No tokens, limits, checks, signatures or logs, and
 * nothing is repeated after a failure. `port` on stdin is answered with the port of its HTTP server.
 */
const SERVICE = process.env['SERVICE_ID'] ?? ''
const LIFETIME_MS = 300_000
const MOST_PENDING = 3
const [STREAM, TELL, NOTICE, ANSWER] = ['bench_tell', 'bench.tell', 'bench.notice', 'bench.answer']
const RAISE = `
local known = redis.call('get', KEYS[1])
if known then return known end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('set', KEYS[2], ARGV[1], 'PX', ARGV[2])
return ARGV[1]`

interface Tell {
  readonly kind: 'raised' | 'closed'
  readonly number: string
  readonly id: string
  readonly connectionId: string
  readonly customerId: string
  readonly context: string
}

const database = new Pool({
  connectionString: process.env['DATABASE_URL'],
  application_name: 'bench-bare',
  max: Number(process.env['DATABASE_POOL']),
})
// Its backends are metered from the start.
await Promise.all(Array.from({ length: Number(process.env['DATABASE_POOL']) }, () => database.query('select 1')))
const redis = new Redis(process.env['REDIS_URL'] ?? '')
const nats = await connect({
  servers: process.env['NATS_URL'] ?? '',
  authenticator: nkeyAuthenticator(new TextEncoder().encode(process.env['NATS_SEED'])),
})
const manager = await jetstreamManager(nats)
await manager.streams.add({ name: STREAM, subjects: [TELL], retention: RetentionPolicy.Workqueue })
await manager.consumers.add(STREAM, { durable_name: STREAM, ack_policy: AckPolicy.Explicit, max_ack_pending: 4096 })
const sending = jetstream(nats)
const streams = new Map<string, ServerResponse>()

nats.subscribe(ANSWER, {
  callback: (_, message) => void close(message.string()).then((outcome) => message.respond(outcome)),
})
nats.subscribe(NOTICE, {
  callback: (_, message) => {
    void run(database, 'done', 'update bench.outbox set done_at = now() where id = $1', [message.string()])
  },
})
void receive()

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    response.writeHead(500).end()
  })
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
const address = server.address()
for await (const _ of createInterface({ input: process.stdin })) {
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, what, first = '', second = ''] = (request.url ?? '').split('/')
  if (what === 'stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    streams.set(first, response)
    return
  }
  if (what === 'approve') return reply(response, await approve(first, second))
  if (request.method === 'GET') return reply(response, await consume(first))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by the scenario
  const body = (await json(request)) as { share_code: string; idempotency_key: string; context: string }
  return reply(response, await raise(body))
}

function reply(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function raise(given: { share_code: string; idempotency_key: string; context: string }): Promise<object> {
  const find = 'select id, customer_id from bench.connection where share_code = $1'
  const [known] = await run(database, 'find', find, [given.share_code])
  const [id, connectionId, customerId] = [randomUUID(), String(known?.['id']), String(known?.['customer_id'])]
  const createdAt = Date.now()
  const expiresAt = createdAt + LIFETIME_MS
  const entry = JSON.stringify({ id, digits: null, createdAt, expiresAt })
  await redis.eval(RAISE, 2, `bench:key:${given.idempotency_key}`, `bench:id:${id}`, entry, LIFETIME_MS)
  const tell = { kind: 'raised', id, connectionId, customerId, context: given.context } as const
  const number = await inTransaction(async (tx) => {
    await run(tx, 'lock', 'select 1 from bench.connection where share_code = $1 for update', [given.share_code])
    const pending = `select count(*)::int as pending from bench.challenge
      where service_id = $1 and customer_id = $2 and status is null and expires_at > now()`
    const [counted] = await run(tx, 'pending', pending, [SERVICE, customerId])
    if (Number(counted?.['pending']) >= MOST_PENDING) throw new Error('too many are pending')
    await run(
      tx,
      'raise',
      `insert into bench.challenge (service_id, id, customer_id, connection_id, share_code, created_at, expires_at)
      values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), to_timestamp($7 / 1000.0))`,
      [SERVICE, id, customerId, connectionId, given.share_code, createdAt, expiresAt],
    )
    return enqueue(tx, tell)
  })
  send({ ...tell, number })
  return { challenge_id: id, status: 'pending', expires_at: new Date(expiresAt).toISOString() }
}

async function enqueue(tx: ClientBase, body: object): Promise<string> {
  const [row] = await run(tx, 'enqueue', 'insert into bench.outbox (body) values ($1) returning id', [body])
  return String(row?.['id'])
}

function send(tell: Tell): void {
  void sending.publish(TELL, JSON.stringify(tell), { msgID: tell.number })
}

async function receive(): Promise<void> {
  const consumer = await sending.consumers.get(STREAM, STREAM)
  for await (const message of await consumer.consume()) {
    const tell = message.json<Tell>()
    void apply(tell).then(() => {
      message.ack()
      nats.publish(NOTICE, tell.number)
    })
  }
}

async function apply(tell: Tell): Promise<void> {
  const { kind, number, id, connectionId, customerId, context } = tell
  await inTransaction(async (tx) => {
    await run(
      tx,
      'apply',
      'insert into bench.inbox values ($1, $2) on conflict (lane) do update set applied = excluded.applied',
      [connectionId, number],
    )
    if (kind === 'closed') {
      await closeCard(tx, customerId, id)
      return
    }
    await run(
      tx,
      'card',
      `insert into bench.card (account_id, id, connection_id, context, created_at, expires_at)
      values ($1, $2, $3, $4, now(), now() + interval '5 minutes')`,
      [customerId, id, connectionId, context],
    )
    await addHint(tx, customerId, 'challenge_raised', id)
  })
  if (kind === 'raised') write(customerId, 'challenge_raised', id)
}

async function addHint(tx: ClientBase, accountId: string, kind: string, id: string): Promise<void> {
  const head = `insert into bench.head as h values ($1, 1)
    on conflict (account_id) do update set last_seq = h.last_seq + 1 returning last_seq`
  const [row] = await run(tx, 'head', head, [accountId])
  const hint = 'insert into bench.hint (account_id, seq, kind, object_id, at) values ($1, $2, $3, $4, now())'
  await run(tx, 'hint', hint, [accountId, row?.['last_seq'], kind, id])
}

function write(accountId: string, kind: string, id: string): void {
  streams.get(accountId)?.write(`event: hint\ndata: ${JSON.stringify({ kind, id })}\n\n`)
}

async function approve(accountId: string, id: string): Promise<object> {
  const find = 'select connection_id from bench.card where account_id = $1 and id = $2 and status is null'
  const [card] = await run(database, 'read card', find, [accountId, id])
  const asked = JSON.stringify({ id, connectionId: card?.['connection_id'], customerId: accountId })
  const outcome = (await nats.request(ANSWER, asked, { timeout: 10_000 })).json<{ status: string }>()
  const isClosed = await inTransaction((tx) => closeCard(tx, accountId, id))
  if (isClosed) write(accountId, 'challenge_closed', id)
  return { id, ...outcome }
}

/** The first of the answer and the tell closes it and adds the hint. */
async function closeCard(tx: ClientBase, accountId: string, id: string): Promise<boolean> {
  const sql = `update bench.card set status = 'approved', completed_at = now()
    where account_id = $1 and id = $2 and status is null returning 1 as one`
  const closed = await run(tx, 'close card', sql, [accountId, id])
  if (closed.length === 1) await addHint(tx, accountId, 'challenge_closed', id)
  return closed.length === 1
}

async function close(text: string): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by `approve`
  const { id, connectionId, customerId } = JSON.parse(text) as Pick<Tell, 'id' | 'connectionId' | 'customerId'>
  await redis.get(`bench:id:${id}`)
  const tell = { kind: 'closed', id, connectionId, customerId, context: '' } as const
  const number = await inTransaction(async (tx) => {
    await run(tx, 'lock one', 'select status from bench.challenge where service_id = $1 and id = $2 for update', [
      SERVICE,
      id,
    ])
    await run(
      tx,
      'outcome',
      `update bench.challenge set status = 'approved', completed_at = now() where service_id = $1 and id = $2`,
      [SERVICE, id],
    )
    const event = 'insert into bench.event (owner_id, id, kind, payload, at) values ($1, $2, $3, $4, now())'
    const payload = { challenge_id: id, status: 'approved', person_user_id: customerId }
    await run(tx, 'event', event, [SERVICE, randomUUID(), '2fa_challenge_completed', payload])
    return enqueue(tx, tell)
  })
  send({ ...tell, number })
  await redis.del(`bench:id:${id}`)
  return JSON.stringify({ status: 'approved' })
}

async function consume(id: string): Promise<object> {
  return inTransaction(async (tx) => {
    const lock = 'select status, completed_at from bench.challenge where service_id = $1 and id = $2 for update'
    const [row] = await run(tx, 'lock outcome', lock, [SERVICE, id])
    const mark = 'update bench.challenge set consumed_at = now() where service_id = $1 and id = $2'
    await run(tx, 'consume', mark, [SERVICE, id])
    return { status: row?.['status'], completed_at: row?.['completed_at'] }
  })
}

async function inTransaction<T>(work: (tx: ClientBase) => Promise<T>): Promise<T> {
  const client = await database.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

type Row = Readonly<Record<string, unknown>>

interface Statements {
  query(statement: QueryConfig): Promise<QueryResult<Row>>
}

async function run(on: Statements, name: string, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  const { rows } = await on.query({ name, text, values: [...values] })
  return rows
}
