import { randomBytes } from 'node:crypto'
import { type Bus, openBus, parseParty, type TellContract } from '@sealpost/bus'
import { type Clock, createIds, instant } from '@sealpost/kernel'
import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import { quietTelemetry, type Telemetry } from '@sealpost/telemetry'
import { parsePlan, type RegionReport, type TellingPlan } from './plan.ts'

/** A region as small as possible: it tells, and writes down what it is told. It expects to be killed at any moment. */
const plan = parsePlan(process.env['REGION_PLAN'])
const clock: Clock = { now: () => instant(Date.now()) }
const counts = { duplicates: 0 }
const database = openDatabase({ url: plan.databaseUrl, poolSize: 12 })
const bus = openBus({
  self: parseParty(plan.self),
  parties: { eu: { servers: [plan.nats.eu] }, us: { servers: [plan.nats.us] } },
  database,
  telemetry: countingTelemetry(),
  clock,
  ids: createIds(clock, { bytes: (length) => randomBytes(length) }),
  roles: { relay: true, inbox: true, responder: true },
  processName: `region ${plan.self}`,
})

interface Step {
  readonly connection: number
  readonly n: number
  readonly life: string
}

const step: TellContract<Step> = { kind: 'chaos.step', version: 1, parse: parseStep }
const UNCONFIRMED_MAX = 1500
const REPORT_EVERY_MS = 100

bus.onTell(step, async (tx, { body }) => {
  const values = [body.connection, body.n, body.life]
  await runStatement(tx, 'insert into heard (connection, n, life) values ($1, $2, $3)', values)
})
// Left alone by its parent it has nobody to report to, and must not live on.
process.on('disconnect', () => process.exit(1))
await bus.start()
setInterval(() => process.send?.({ duplicates: counts.duplicates } satisfies RegionReport), REPORT_EVERY_MS)
if (plan.telling !== null) await tellAll(plan.telling)

async function tellAll(telling: TellingPlan): Promise<void> {
  const allowance = paced(telling.perSecond)
  const connections = Array.from({ length: telling.connections }, (_, index) => index + 1)
  await Promise.all(connections.map((connection) => tellConnection(bus, database, telling, connection, allowance)))
}

async function tellConnection(
  onBus: Bus,
  within: Database,
  telling: TellingPlan,
  connection: number,
  allowance: () => Promise<void>,
): Promise<void> {
  const target = parseParty(telling.to)
  let n = await lastTold(within, connection)
  while (n < telling.tellsEach) {
    await allowance()
    const body = { connection, n: n + 1, life: telling.life }
    try {
      await within.transaction(async (tx) => {
        const values = [body.connection, body.n, body.life]
        await runStatement(tx, 'insert into told (connection, n, life) values ($1, $2, $3)', values)
        await onBus.tell(tx, step, { to: target, key: `connection-${connection}`, body })
      })
    } catch (error) {
      console.error(`telling ${connection}/${body.n} failed: ${String(error)}`)
    }
    // Whatever happened to the transaction, the database knows.
    n = await lastTold(within, connection)
  }
}

async function lastTold(within: Database, connection: number): Promise<number> {
  const sql = 'select coalesce(max(n), 0) as n from told where connection = $1'
  const [row] = await within.read((read) => runStatement<{ n: number }>(read, sql, [connection]))
  return row?.n ?? 0
}

/** Spreads tells over time, and waits while too many are unconfirmed: kills should meet a region at work. */
function paced(perSecond: number): () => Promise<void> {
  let nextAtMs = performance.now()
  const seen = { unconfirmed: 0 }
  const look = async (): Promise<void> => {
    seen.unconfirmed = await countUnconfirmed()
  }
  // On a machine at its limit a look may fail; the next one comes soon enough.
  setInterval(() => void look().catch(() => {}), REPORT_EVERY_MS)
  return async () => {
    nextAtMs = Math.max(nextAtMs + 1000 / perSecond, performance.now())
    await pause(nextAtMs - performance.now())
    while (seen.unconfirmed > UNCONFIRMED_MAX) await pause(REPORT_EVERY_MS)
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

function parseStep(value: unknown): Step {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- told by this very program
  const told = value as Step
  if (!Number.isInteger(told.connection) || !Number.isInteger(told.n)) throw new Error('not a step')
  return told
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
