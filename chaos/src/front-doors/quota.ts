import { type Cluster, northwind, type ScenarioContext } from '@sealpost/testkit'
import { askToken } from '../calls.ts'

export interface QuotaFigures {
  readonly passed: number
  readonly over_quota: number
  readonly under_quota: number
}

/** The default, per minute and source address. */
const QUOTA = 60
const REQUESTS = 150
/** An address that nobody has used before; the front doors believe their balancer. */
const CALLER = { 'x-forwarded-for': '203.0.113.7' }

/** One burst through both front doors at once: together they let one quota pass, and what the bucket regains meanwhile. */
export async function measureQuota(context: ScenarioContext, { frontDoors }: Cluster): Promise<QuotaFigures> {
  for (const frontDoor of frontDoors) await frontDoor.kill()
  await Promise.all(frontDoors.map((frontDoor) => frontDoor.start({ RATE_TOKEN: String(QUOTA) })))
  const startedMs = performance.now()
  const outcomes = await Promise.all(
    Array.from({ length: REQUESTS }, (_, number) =>
      askToken(frontDoors[number % frontDoors.length]?.url ?? '', northwind, CALLER),
    ),
  )
  const regained = Math.ceil((((performance.now() - startedMs) / 1000) * QUOTA) / 60)
  const passed = outcomes.filter(({ kind }) => kind === 'done').length
  const limited = outcomes.filter((outcome) => outcome.kind === 'refused' && outcome.status === 429).length
  const odd = outcomes.length - passed - limited
  if (odd > 0) throw new Error(`${odd} requests were neither answered nor limited`)
  context.progress(`${passed} of ${REQUESTS} requests of one address passed both front doors together`)
  return { passed, over_quota: Math.max(0, passed - QUOTA - regained), under_quota: Math.max(0, QUOTA - passed) }
}
