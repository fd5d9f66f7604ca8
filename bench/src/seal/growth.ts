import { createHash } from 'node:crypto'
import {
  bodyOf,
  type Calls,
  clientCalls,
  connectNewUser,
  type Installation,
  medianRatio,
  northwind,
  type ScenarioContext,
  sealTo,
  startInstallation,
  UNLIMITED_RATES,
  waitUntil,
} from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { databaseUrlOf, openRegionMeters, perCall, perCallOfAll, type RegionMeters } from '../region-cpu.ts'
import { openSeeds } from './seed.ts'

export interface GrowthSize {
  readonly documents: number
  readonly growthSamples: number
  /** Acts and pages per sample. */
  readonly calls: number
}

const DOCUMENTS = '/api/company-data/documents'
const PAGE = `${DOCUMENTS}?limit=50`
const REFERENCE = '/api/company-data/whoami'
const REFERENCE_CALLS = 10
const WARM_UPS = 3
/** Before anything is measured. */
const FIRST_ROUNDS = 15
const ARRIVAL_MS = 300_000

/**
 * Pages and signatures of a service with many documents, and then of the same service without them, in units of a call that
 * reads none. In this order, because a process becomes faster while it runs.
 */
export async function measureGrowth(context: ScenarioContext, size: GrowthSize) {
  const installation = await startInstallation({ settings: UNLIMITED_RATES, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const rounds = FIRST_ROUNDS + 2 * (WARM_UPS + size.growthSamples)
  const site = await offerContracts(installation, rounds * size.calls)
  context.progress(`${site.acts.length} contracts wait for their signatures`)
  const meters = await openRegionMeters(context, installation)
  await measure(context, site, meters, { ...size, growthSamples: FIRST_ROUNDS - WARM_UPS }, 'warming up')
  const seeds = [
    openSeeds(databaseUrlOf(installation, 'eu'), 'service'),
    openSeeds(databaseUrlOf(installation, 'us'), 'customer'),
  ]
  for (const seed of seeds) await seed.add(size.documents)
  context.progress(`${size.documents} documents of the service in both regions`)
  const beside = await measure(context, site, meters, size, 'beside others')
  for (const seed of seeds) await seed.remove()
  const alone = await measure(context, site, meters, size, 'without others')
  return {
    list_growth: medianRatio(beside.page, beside.reference) / medianRatio(alone.page, alone.reference),
    signature_growth: medianRatio(beside.signature, beside.reference) / medianRatio(alone.signature, alone.reference),
  }
}

async function measure(
  context: ScenarioContext,
  { service, acts }: Site,
  { eu, us }: RegionMeters,
  { growthSamples: samples, calls }: GrowthSize,
  title: string,
) {
  const read = (path: string) => async () => bodyOf(service('GET', path))
  const sign = async (): Promise<void> => {
    const act = acts.pop()
    if (act === undefined) throw new Error('all contracts are signed')
    await act()
  }
  return alternate(
    {
      page: () => perCall(eu, calls, () => repeat(calls, read(PAGE))),
      // Both regions take part in a signature.
      signature: () => perCallOfAll([eu, us], calls, () => repeat(calls, sign)),
      reference: () => perCall(eu, REFERENCE_CALLS * calls, () => repeat(REFERENCE_CALLS * calls, read(REFERENCE))),
    },
    {
      samples,
      warmUps: WARM_UPS,
      onSample(number, costs) {
        const printed = Object.entries(costs).map(([name, cost]) => `${name} ${cost.toFixed(0)}`)
        context.progress(`${title}, sample ${number} of ${samples}: ${printed.join(', ')} µs`)
      },
    },
  )
}

async function repeat(count: number, act: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await act()
}

interface Site {
  readonly service: Calls
  /** Each signs one contract. */
  readonly acts: (() => Promise<unknown>)[]
}

/** JSON contracts of a company in us, which its portal user signs: the seal of a PDF would hide what a table costs. */
async function offerContracts(installation: Installation, count: number): Promise<Site> {
  const service = await clientCalls(installation, northwind.clientId, northwind.clientSecret)
  const wanted = { userType: 'company', region: 'us' } as const
  const { user, calls, connectionId: connection_id } = await connectNewUser(installation, wanted, northwind)
  const value = await sealTo(user.keys.publicKey, JSON.stringify({ title: 'Terms', sections: [] }))
  const facts = { name: 'Supply agreement', kind: 'agreement', payload_kind: 'json', requires_signature: true }
  const offered: string[] = []
  for (let number = 0; number < count; number += 1) {
    const created = await bodyOf(
      service('POST', DOCUMENTS, { body: { ...facts, value, target: { connection_id } } }),
      201,
    )
    offered.push(`/api/company-connections/${connection_id}/documents/${String(created['id'])}`)
  }
  const last = offered.at(-1) ?? ''
  await waitUntil('all contracts have arrived', ARRIVAL_MS, async () => (await calls('GET', last)).status === 200)
  const content_sha256 = createHash('sha256').update(value).digest('hex')
  const body = { method: 'custodian', content_sha256 }
  return { service, acts: offered.map((path) => () => bodyOf(calls('POST', `${path}/sign`, { body }))) }
}
