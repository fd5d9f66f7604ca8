import { type Cluster, northwind, type ScenarioContext } from '@sealpost/testkit'
import { askToken } from '../calls.ts'

export interface QuotaFigures {
  readonly passed: number
  readonly over_quota: number
  readonly under_quota: number
}

/** Token requests per minute and source address: the default. */
const QUOTA = 60
const REQUESTS = 150
/** A source address with a full bucket, as a trusted proxy reports it. */
const CALLER = { 'x-forwarded-for': '203.0.113.7' }

/** One burst through both front doors: together they pass one quota, plus what the bucket regains meanwhile. */
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
  const others = outcomes.length - passed - limited
  if (others > 0) throw new Error(`${others} requests were neither answered nor limited`)
  context.progress(`${passed} of ${REQUESTS} requests of one address passed the two front doors`)
  return { passed, over_quota: Math.max(0, passed - QUOTA - regained), under_quota: Math.max(0, QUOTA - passed) }
}
