import { createHash, randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { loginWith } from '@sealpost/bus/credentials'
import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { instant, Secret } from '@sealpost/kernel'
import { partitionOf } from '@sealpost/postgres'
import { Pool, type PoolClient } from 'pg'
import { BARE_TABLES, CUSTOMER, FEED, SERVICE } from './bare-statements.ts'
import { type BarePlan, inParallel, type PlannedCustomer, type PlannedPair } from './plan.ts'

/**
 * Starts runs and takes turns without the product: the statements, messages and checks of wrappers that the work needs, for
 * both regions in one process, with a plain driver and a plain NATS client. No HTTP, no tokens, no limits, no resending and
 * no checks of bodies. A line `start N`, `ask N` (the company's turn) or `tell N` (the person's turn) does N of them with 32
 * callers, until the other region has applied what follows; the answer is `done N`.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by bare.ts
const plan = JSON.parse(process.env['PLAN'] ?? '') as BarePlan
const open = (connectionString: string): Pool =>
  new Pool({ connectionString, application_name: 'bench-bare', max: plan.pool })
const [eu, us] = [open(plan.databases.eu), open(plan.databases.us)]
const wrappers = createCryptoPlatform(globalThis)
const nats = await connect({ servers: [plan.nats.url], authenticator: loginWith(new Secret(plan.nats.key)) })
const applied = new Map<string, () => void>()
const names = new Map<string, string>()
interface Run {
  readonly id: string
  readonly pair: PlannedPair
}
let runs: Run[] = []
/** What follows the calls of a line. */
let following: Promise<void>[] = []

interface Told {
  readonly id: string
  readonly runId: string
  readonly to: PlannedCustomer
  readonly isCompany: boolean
  readonly state: { readonly rev: number; readonly status: string; readonly current_node: string }
  readonly start: object | null
  readonly slug: string | null
  readonly value: string | null
}

await eu.query(BARE_TABLES)
await us.query(BARE_TABLES)
await serveTells()
serveAsks()
for await (const line of createInterface({ input: process.stdin })) {
  const [command, count = '0'] = line.split(' ')
  if (command === 'start') runs = []
  await inParallel(Number(count), (number) => (command === 'start' ? startRun(number) : turn(command, number)))
  await Promise.all(following)
  following = []
  process.stdout.write(`done ${count}\n`)
}

async function startRun(number: number): Promise<void> {
  const pair = plan.pairs[number % plan.pairs.length]
  if (pair === undefined) throw new Error('no customers')
  const { companyId, serviceId, flowId } = plan
  const id = randomUUID()
  const at = new Date()
  const told = await inTransaction(eu, async (client) => {
    const [version] = await run(client, SERVICE.published, [companyId, serviceId, flowId])
    const ids = [pair.customer.connectionId, pair.partner.connectionId]
    const connections = await run(client, SERVICE.lockConnections, [serviceId, ids])
    const keys = connections.map(({ public_key: key }) => fingerprintOf(String(key)))
    if (keys.length !== ids.length) throw new Error('a connection has ended')
    const definition: unknown = JSON.parse(String(version?.['definition']))
    await run(client, SERVICE.insertRun, [
      serviceId,
      id,
      companyId,
      flowId,
      version?.['version'],
      at.toISOString().slice(0, 10),
      pair.customer.connectionId,
      at,
    ])
    const parties = [null, pair.customer, pair.partner]
    await run(client, SERVICE.insertParticipants, [
      serviceId,
      id,
      [0, 1, 2],
      ['us', 'customer', 'partner'],
      parties.map((party) => party?.userId ?? companyId),
      parties.map((party) => party?.connectionId ?? null),
      parties.map((party) => (party === null ? null : 'us')),
      parties.map((party) => party?.publicKey ?? null),
    ])
    const state = { rev: 1, status: 'awaiting_us', current_node: 'ask' }
    const facts = { definition, bindings: { customer: pair.customer.userId, partner: pair.partner.userId } }
    const messages = await writeTells(client, { runId: id, pair, state, start: facts, slug: null, value: null })
    await appendEvent(client, { owner: serviceId, account: companyId, kind: 'service', runId: id, pair })
    return messages
  })
  following.push(sendTells(told))
  runs[number] = { id, pair }
}

/** The company's turn begins here, the person's in the other region. */
async function turn(command: string | undefined, number: number): Promise<void> {
  const one = runs[number]
  if (one === undefined) throw new Error(`no run ${number}`)
  if (command === 'ask')
    return takeTurn(one, randomUUID(), { party: 'us', slug: 'amount', node: 'tell', next: 'customer' })
  const { userId } = one.pair.customer
  const { rows } = await us.query({ name: 'find', text: CUSTOMER.findRun, values: [userId, one.id] })
  if (rows.length !== 1) throw new Error('a run has not arrived')
  const done = await nats.request('bench.ask', JSON.stringify({ number, id: randomUUID(), value: plan.value }), {
    timeout: 60_000,
  })
  const { state } = done.json<Pick<Told, 'state'>>()
  await inTransaction(us, (client) => applyTurn(client, one.pair.customer, one.id, { state, slug: 'nick' }))
}

function serveAsks(): void {
  nats.subscribe('bench.ask', {
    callback(_error, message) {
      const { number, id } = message.json<{ number: number; id: string }>()
      const one = runs[number]
      if (one === undefined) throw new Error(`no run ${number}`)
      const taking = takeTurn(one, id, { party: 'customer', slug: 'nick', node: 'confirm', next: 'partner' })
      void taking.then(() =>
        message.respond(JSON.stringify({ state: { rev: 3, status: 'awaiting_partner', current_node: 'confirm' } })),
      )
    },
  })
}

interface Turn {
  readonly party: string
  readonly slug: string
  readonly node: string
  readonly next: string
}

async function takeTurn({ id, pair }: Run, askId: string, { party, slug, node, next }: Turn): Promise<void> {
  const { companyId, serviceId, flowId, value } = plan
  const told = await inTransaction(eu, async (client) => {
    if (party !== 'us') await run(client, SERVICE.claim, [askId])
    await run(client, SERVICE.lockConnections, [serviceId, [pair.customer.connectionId, pair.partner.connectionId]])
    const [found] = await run(client, SERVICE.lockRun, [serviceId, id])
    await run(client, SERVICE.participants, [serviceId, id])
    const [version] = await run(client, SERVICE.pinned, [companyId, serviceId, flowId, found?.['flow_version']])
    JSON.parse(String(version?.['definition']))
    for (const copy of [value, value, value]) if (!isWrapper(wrappers, copy)) throw new Error('not sealed')
    const at = new Date()
    await run(client, SERVICE.insertAnswer, [serviceId, id, slug, party, value, at])
    const state = { rev: Number(found?.['rev']) + 1, status: `awaiting_${next}`, current_node: node }
    await run(client, SERVICE.updateRun, [serviceId, id, state.status, node, state.rev, at])
    const messages = await writeTells(client, { runId: id, pair, state, start: null, slug, value })
    await appendEvent(client, { owner: serviceId, account: companyId, kind: 'service', runId: id, pair })
    if (party !== 'us') await run(client, SERVICE.storeOutcome, [askId, JSON.stringify({ state })])
    return messages
  })
  following.push(sendTells(told))
}

type News = Pick<Told, 'runId' | 'state' | 'start' | 'slug' | 'value'> & { readonly pair: PlannedPair }

async function writeTells(client: PoolClient, { pair, ...news }: News): Promise<readonly Told[]> {
  const tells = [pair.customer, pair.partner].map((to): Told => ({
    id: randomUUID(),
    to,
    isCompany: to === pair.partner,
    ...news,
  }))
  const bodies = tells.map((tell) => JSON.stringify(tell))
  await run(client, SERVICE.insertTells, [tells.map(({ id }) => id), tells.map(() => 'bench.tell'), bodies])
  return tells
}

/** Resolves when the other region has applied them. */
async function sendTells(tells: readonly Told[]): Promise<void> {
  const client = jetstream(nats)
  await Promise.all(
    tells.map(async (tell) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      applied.set(tell.id, resolve)
      await client.publish('bench.tell', JSON.stringify(tell), { msgID: tell.id })
      await promise
    }),
  )
  await eu.query({ name: 'sent', text: SERVICE.deleteTells, values: [tells.map(({ id }) => id)] })
}

async function serveTells(): Promise<void> {
  const manager = await jetstreamManager(nats)
  const stream = 'bench_tell'
  const retention = RetentionPolicy.Workqueue
  await manager.streams.add({ name: stream, subjects: ['bench.tell'], retention, storage: StorageType.File })
  await manager.consumers.add(stream, { durable_name: 'us', ack_policy: AckPolicy.Explicit, max_ack_pending: 4096 })
  const consumer = await jetstream(nats).consumers.get(stream, 'us')
  const messages = await consumer.consume({ max_messages: 512 })
  void (async () => {
    for await (const message of messages) {
      const tell = message.json<Told>()
      void inTransaction(us, (client) => applyTell(client, tell)).then(() => {
        message.ack()
        applied.get(tell.id)?.()
        applied.delete(tell.id)
      })
    }
  })()
}

async function applyTell(
  client: PoolClient,
  { id, runId, to, isCompany, state, start, slug, value }: Told,
): Promise<void> {
  await run(client, CUSTOMER.apply, [id])
  await run(client, CUSTOMER.lockConnection, [to.userId, to.connectionId])
  if (start === null) await applyTurn(client, to, runId, { state, slug, value })
  else {
    const userType = isCompany ? 'company' : 'person'
    await run(client, CUSTOMER.insertRun, [
      to.userId,
      runId,
      userType,
      to.connectionId,
      plan.companyId,
      plan.serviceId,
      JSON.stringify(start),
      JSON.stringify(state),
      state.rev,
    ])
    await run(client, CUSTOMER.insertKeys, [to.userId, [to.userId], [to.publicKey]])
  }
  if (isCompany)
    await appendEvent(client, {
      owner: to.userId,
      account: to.userId,
      kind: 'account',
      runId,
      pair: { customer: to, partner: to },
    })
  else await appendHint(client, to, runId)
}

/** For the open devices of a person. */
async function appendHint(client: PoolClient, { userId }: PlannedCustomer, runId: string): Promise<void> {
  const [head] = await run(client, CUSTOMER.advanceHints, [userId])
  await run(client, CUSTOMER.insertHint, [userId, head?.['last_seq'], 'flow_run_turn', runId])
}

async function applyTurn(
  client: PoolClient,
  { userId }: PlannedCustomer,
  runId: string,
  { state, slug, value }: Pick<Told, 'state' | 'slug'> & { readonly value?: string | null },
): Promise<void> {
  const [before] = await run(client, CUSTOMER.lockRun, [userId, runId])
  await run(client, CUSTOMER.insertAnswer, [userId, runId, slug, state.rev, value ?? plan.value])
  if (Number(before?.['rev']) < state.rev)
    await run(client, CUSTOMER.updateRun, [userId, runId, JSON.stringify(state), state.rev])
}

interface Appended {
  readonly owner: string
  readonly account: string
  readonly kind: 'service' | 'account'
  readonly runId: string
  readonly pair: PlannedPair
}

async function appendEvent(client: PoolClient, { owner, account, kind, runId, pair }: Appended): Promise<void> {
  const [head] = await run(client, FEED.advance, [owner, account, kind])
  const at = new Date()
  const { userId, connectionId } = pair.customer
  const payload = JSON.stringify({ person_user_id: userId, flow_run_id: runId, awaiting_party: 'customer' })
  const partition = partitionOf(instant(at.getTime()))
  const values = [owner, head?.['last_no'], partition, randomUUID(), 'flow_run_turn', connectionId, payload, at]
  await run(client, FEED.insertEvent, values)
}

function fingerprintOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex')
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

async function run(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<readonly Record<string, unknown>[]> {
  const name = names.get(text) ?? `b${names.size}`
  names.set(text, name)
  return (await client.query<Record<string, unknown>>({ name, text, values: [...values] })).rows
}
