import { type Instant, instant } from '@sealpost/kernel'
import { partitionOf } from '@sealpost/postgres'
import {
  appProcess,
  hundredths,
  type Installation,
  logIn,
  mara,
  median,
  medianRatio,
  reservePort,
  type Scenario,
  type ScenarioContext,
  signUp,
  startInstallation,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { Client } from 'pg'
import { openReader, type Reader } from './reader.ts'

interface Size {
  readonly streams: number
  readonly hints: number
}

const FEW = 10
const OPENED_AT_ONCE = 50
const PARTITIONS = 4
const SETTINGS = {
  ...UNLIMITED_RATES,
  HTTP_CONNECTIONS: '30000',
  STREAMS_PROCESS: '30000',
  STREAMS_ACCOUNT: '30000',
}

/**
 * The time from a committed hint to its reader, at a process with many open streams and at one with ten. Both get the same
 * hints, so other load on the machine affects both alike.
 */
export const streamsScenario: Scenario<Size> = {
  name: 'streams',
  about: 'time from a hint to its reader with many open streams against ten',
  sizes: { small: { streams: 500, hints: 40 }, full: { streams: 10_000, hints: 200 } },
  bars: [{ figure: 'ratio', atMost: 3 }],
  async run(context, { streams, hints }) {
    const installation = await startInstallation({ settings: SETTINGS, onStep: (step) => context.progress(step) })
    context.onEnd(() => installation.stop())
    const quiet = await startAnother(context, installation)
    const person = await signUp(installation, { userType: 'person', region: 'us' })
    const [crowd, own] = [await logIn(installation, credentialsOfMara()), await logIn(installation, person)]
    await openMany(context, installation.us.url, crowd.token, streams)
    await openMany(context, quiet.url, crowd.token, FEW)
    const readers = [await openReader(installation.us.url, own.token), await openReader(quiet.url, own.token)] as const
    const client = await connect(context, installation)
    const [many, few] = await measure(client, person.userId, readers, hints)
    return {
      streams,
      ratio: hundredths(medianRatio(many, few)),
      many_ms: hundredths(median(many)),
      few_ms: hundredths(median(few)),
    }
  },
}

async function measure(
  client: Client,
  accountId: string,
  [many, few]: readonly [Reader, Reader],
  hints: number,
): Promise<readonly [readonly number[], readonly number[]]> {
  const taken: [number[], number[]] = [[], []]
  for (let index = 0; index < hints; index += 1) {
    const arriving = Promise.all([many.next(), few.next()])
    await insertHint(client, accountId, instant(Date.now()))
    const writtenAt = performance.now()
    await client.query(`select pg_notify('sealpost_hints', $1)`, [accountId])
    const [atMany, atFew] = await arriving
    taken[0].push(atMany - writtenAt)
    taken[1].push(atFew - writtenAt)
  }
  return taken
}

async function insertHint(client: Client, accountId: string, at: Instant): Promise<void> {
  await client.query(
    `with head as (
      insert into devices.head as h (account_id, last_seq) values ($1, 1)
      on conflict (account_id) do update set last_seq = h.last_seq + 1 returning last_seq)
    insert into devices.hint (partition, account_id, seq, kind, object_id, at)
    select $2::smallint, $1, last_seq, 'message_received', $1, to_timestamp($3 / 1000.0) from head`,
    [accountId, partitionOf(at, PARTITIONS), at],
  )
}

async function startAnother(context: ScenarioContext, { environment }: Installation) {
  const [port, internal] = [await reservePort(), await reservePort()]
  const own = { ...environment.us, LISTEN_PORT: String(port.port), INTERNAL_PORT: String(internal.port) }
  const app = appProcess({ name: 'region us with few streams', app: 'region', environment: own })
  context.onEnd(() => app.stop())
  await app.start()
  return app
}

async function openMany(context: ScenarioContext, url: string, token: string, count: number): Promise<void> {
  const opened: Reader[] = []
  context.onEnd(async () => {
    for (const reader of opened) reader.close()
  })
  while (opened.length < count) {
    const next = Math.min(OPENED_AT_ONCE, count - opened.length)
    opened.push(...(await Promise.all(Array.from({ length: next }, () => openReader(url, token)))))
  }
  context.progress(`${count} streams are open at ${url}`)
}

async function connect(context: ScenarioContext, { environment }: Installation): Promise<Client> {
  const client = new Client({ connectionString: environment.us['DATABASE_URL'] })
  await client.connect()
  context.onEnd(() => client.end())
  return client
}

function credentialsOfMara() {
  return { email: mara.email, authVerifier: mara.login.authVerifier }
}
