import { randomBytes } from 'node:crypto'
import { type Bus, type NatsServer, openBus, parseParty, type TellContract } from '@sealpost/bus'
import { type Clock, createIds, instant, Secret } from '@sealpost/kernel'
import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import { quietTelemetry, type Telemetry } from '@sealpost/telemetry'
import { parsePlan, type RegionPlan, type RegionReport, type SendingPlan } from './plan.ts'
import type { Step } from './steps.ts'

/** A minimal region: it sends tells and stores those that it receives. It may be killed at any moment. */
const plan = parsePlan(process.env['REGION_PLAN'])
const clock: Clock = { now: () => instant(Date.now()) }
const counts = { duplicates: 0 }
const database = openDatabase({ url: plan.databaseUrl, poolSize: 12 })
const bus = openBus({
  self: parseParty(plan.self),
  parties: { eu: natsOf(plan.nats.eu), us: natsOf(plan.nats.us) },
  database,
  telemetry: countingTelemetry(),
  clock,
  ids: createIds(clock, { bytes: (length) => randomBytes(length) }),
  roles: { relay: true, inbox: true, responder: true },
  processName: `region ${plan.self}`,
})

const step: TellContract<Step> = { kind: 'chaos.step', version: 1, parse: parseStep }
const UNCONFIRMED_MAX = 1500
const REPORT_EVERY_MS = 100

bus.onTell(step, async (tx, { body }) => {
  const values = [body.connection, body.n, body.run]
  await runStatement(tx, 'insert into received (connection, n, run) values ($1, $2, $3)', values)
})
// The parent died: exit too.
process.on('disconnect', () => process.exit(1))
await bus.start()
setInterval(() => process.send?.({ duplicates: counts.duplicates } satisfies RegionReport), REPORT_EVERY_MS)
if (plan.sending !== null) await sendAll(plan.sending)

async function sendAll(sending: SendingPlan): Promise<void> {
  const waitForTurn = pace(sending.perSecond)
  const connections = Array.from({ length: sending.connections }, (_, index) => index + 1)
  await Promise.all(connections.map((connection) => sendSteps(bus, database, sending, connection, waitForTurn)))
}

async function sendSteps(
  onBus: Bus,
  within: Database,
  sending: SendingPlan,
  connection: number,
  waitForTurn: () => Promise<void>,
): Promise<void> {
  const target = parseParty(sending.to)
  let n = await lastSent(within, connection)
  while (n < sending.tellsEach) {
    await waitForTurn()
    const body: Step = { connection, n: n + 1, run: sending.run }
    try {
      await within.transaction(async (tx) => {
        const values = [body.connection, body.n, body.run]
        await runStatement(tx, 'insert into sent (connection, n, run) values ($1, $2, $3)', values)
        await onBus.tell(tx, step, { to: target, key: `connection-${connection}`, body })
      })
    } catch (error) {
      console.error(`tell ${body.n} of connection ${connection} failed: ${String(error)}`)
    }
    // A failed commit may have been applied: read the database.
    n = await lastSent(within, connection)
  }
}

async function lastSent(within: Database, connection: number): Promise<number> {
  const sql = 'select coalesce(max(n), 0) as n from sent where connection = $1'
  const [row] = await within.read((read) => runStatement<{ n: number }>(read, sql, [connection]))
  return row?.n ?? 0
}

/** Spreads tells over time and waits while too many are unconfirmed, so that kills hit a region at work. */
function pace(perSecond: number): () => Promise<void> {
  let nextAtMs = performance.now()
  const polled = { unconfirmed: 0 }
  const poll = async (): Promise<void> => {
    polled.unconfirmed = await countUnconfirmed()
  }
  // A poll may fail on an overloaded machine; the next one follows.
  setInterval(() => void poll().catch(() => {}), REPORT_EVERY_MS)
  return async () => {
    nextAtMs = Math.max(nextAtMs + 1000 / perSecond, performance.now())
    await pause(nextAtMs - performance.now())
    while (polled.unconfirmed > UNCONFIRMED_MAX) await pause(REPORT_EVERY_MS)
  }
}

async function countUnconfirmed(): Promise<number> {
  const sql = 'select coalesce(sum(last_seq - confirmed_seq), 0)::int as count from bus.lane where pending'
  const [row] = await database.read((read) => runStatement<{ count: number }>(read, sql, []))
  return row?.count ?? 0
}

function countingTelemetry(): Telemetry {
  const quiet = quietTelemetry()
  return {
    ...quiet,
    counter(name, about) {
      const counter = quiet.counter(name, about)
      return {
        ...counter,
        add(amount, attributes) {
          if (attributes?.outcome === 'duplicate') counts.duplicates += amount
          counter.add(amount, attributes)
        },
      }
    },
  }
}

function natsOf({ url, key }: RegionPlan['nats']['eu']): NatsServer {
  return { servers: [url], key: new Secret(key) }
}

function parseStep(value: unknown): Step {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by this program
  const parsed = value as Step
  if (!Number.isInteger(parsed.connection) || !Number.isInteger(parsed.n)) throw new Error('not a step')
  return parsed
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
