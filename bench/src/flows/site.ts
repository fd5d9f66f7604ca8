import {
  bodyOf,
  type Calls,
  callsWith,
  clientCalls,
  type ConnectedUser,
  connectNewUser,
  flowAuthor,
  type Installation,
  logIn,
  northwind,
  type ScenarioContext,
  sealTo,
  startInstallation,
  threePartyFlow,
  threePartySlugs,
  UNLIMITED_RATES,
  waitUntil,
} from '@sealpost/testkit'
import { Client } from 'pg'
import { databaseUrlOf } from '../region-cpu.ts'
import { inParallel, type PlannedCustomer } from './plan.ts'

/** A company in eu with a published flow, and customers in us. */
export interface Site {
  readonly installation: Installation
  readonly service: Calls
  readonly flowId: string
  readonly pairs: readonly Pair[]
  /** One sealed answer. */
  readonly value: string
  /** Waits until the customers' region has applied all tells: they belong to the cost of a call. */
  delivered(): Promise<void>
}

export interface Pair {
  readonly customer: ConnectedUser
  readonly partner: ConnectedUser
}

export const POOL = 5
const SETTINGS = { ...UNLIMITED_RATES, DATABASE_POOL: String(POOL) }
const DEADLINE_MS = 120_000
export const RUNS = '/api/company-data/flow-runs'

export async function startSite(context: ScenarioContext, count: number): Promise<Site> {
  const installation = await startInstallation({ settings: SETTINGS, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const { email, login, serviceId, service: persona } = northwind
  const { apiUrl, token } = await logIn(installation, { email, authVerifier: login.authVerifier })
  const author = flowAuthor({ portal: callsWith(apiUrl, token), serviceId })
  const { flowId } = await author.published(threePartyFlow())
  const pairs: Pair[] = []
  for (let number = 0; number < count; number += 1)
    pairs.push({
      customer: await connectNewUser(installation, { userType: 'person', region: 'us' }, northwind),
      partner: await connectNewUser(installation, { userType: 'company', region: 'us' }, northwind),
    })
  context.progress(`${count} persons and ${count} companies are connected`)
  const client = new Client({ connectionString: databaseUrlOf(installation, 'eu'), application_name: 'bench-poll' })
  await client.connect()
  context.onEnd(() => client.end())
  return {
    installation,
    service: await clientCalls(installation, northwind.clientId, northwind.clientSecret),
    flowId,
    pairs,
    value: await sealTo(persona.publicKey, 'an answer of a run'),
    delivered: () =>
      waitUntil('all tells are applied', DEADLINE_MS, async () => {
        const { rowCount } = await client.query('select from bus.lane where pending limit 1')
        return rowCount === 0
      }),
  }
}

export function plannedOf({ user, connectionId }: ConnectedUser): PlannedCustomer {
  return { userId: user.userId, connectionId, publicKey: user.keys.publicKey }
}

/** A run that a sample works on. */
export interface Started {
  readonly id: string
  readonly pair: Pair
}

export async function startRuns(site: Site, count: number): Promise<readonly Started[]> {
  const started: Started[] = []
  await inParallel(count, async (number) => {
    const pair = site.pairs[number % site.pairs.length]
    if (pair === undefined) throw new Error('no customers')
    const targets = {
      customer: { connection_id: pair.customer.connectionId },
      partner: { connection_id: pair.partner.connectionId },
    }
    const made = await bodyOf(
      site.service('POST', `/api/company-data/flows/${site.flowId}/runs`, { body: { targets } }),
      201,
    )
    started.push({ id: String(made['id']), pair })
  })
  await site.delivered()
  return started
}

const SLUGS = threePartySlugs()
const TURNS = {
  ask: { slug: SLUGS.amount, to: { next_node: 'tell' } },
  tell: { slug: SLUGS.nick, to: { next_node: 'confirm' } },
  confirm: { slug: SLUGS.reference, to: { leaf: true } },
}

/** The company asks, the person tells, the other company confirms. */
export async function takeTurns(site: Site, turn: keyof typeof TURNS, runs: readonly Started[]): Promise<void> {
  const { slug, to } = TURNS[turn]
  await inParallel(runs.length, async (number) => {
    const run = runs[number]
    if (run === undefined) throw new Error(`no run ${number}`)
    const { customer, partner } = run.pair
    const readers = [northwind.companyId, customer.user.userId, partner.user.userId]
    const values = readers.map((for_user_id) => ({ for_user_id, value: site.value }))
    const body = { answers: [{ slug, values }], ...to }
    const [calls, path] =
      turn === 'ask'
        ? ([site.service, `${RUNS}/${run.id}`] as const)
        : atCustomer(turn === 'tell' ? customer : partner, run)
    await bodyOf(calls('POST', `${path}/answers`, { body }))
  })
  await site.delivered()
}

function atCustomer({ calls, connectionId }: ConnectedUser, { id }: Started): readonly [Calls, string] {
  return [calls, `/api/company-connections/${connectionId}/flow-runs/${id}`]
}
