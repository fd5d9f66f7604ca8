import type { TwoRegions } from '@sealpost/testkit'
import { openDice } from '@sealpost/testkit/dice'
import { scaled } from '@sealpost/testkit/slowness'
import { isKnown } from '../matrix/callers.ts'
import { partsFor } from '../matrix/cells.ts'
import type { Parts } from '../matrix/example.ts'
import { newCompany, newPerson, requireAs } from '../matrix/owners.ts'
import { closeConnections, send } from '../matrix/send.ts'
import { buildWorld, shareCodeOf, type World, type WorldOwner } from '../matrix/world.ts'
import { keepSettings, openSecretSet } from '../secrets/secret-set.ts'
import { type Ground, makeInput, type Recorded } from './inputs.ts'
import { type Forbidden, judge } from './judge.ts'
import { type HostileRoute, hostileRoutes } from './routes.ts'

const IN_FLIGHT = 16
const NO_ANSWER_MS = scaled(10_000)
/** Inputs name any host: nothing is sent to one. */
const NO_EGRESS = { EGRESS_PLATFORM_HOSTS: '0.0.0.0/0,::/0' }

export interface Slice {
  readonly seed: number
  readonly from: number
  readonly to: number
}

export interface SliceResult {
  readonly findings: readonly string[]
  /** How many answers there were of each status; 0 counts connections that the server closed. */
  readonly statuses: Readonly<Record<string, number>>
}

/** Sends the inputs of a slice to an installation of its own: those before it have changed theirs. */
export async function runSlice({ seed, from, to }: Slice, onProgress: (done: number) => void): Promise<SliceResult> {
  const world = await buildWorld(NO_EGRESS)
  try {
    const ground = await prepare(world)
    const statuses: Record<string, number> = {}
    const findings: string[] = []
    let next = from
    const work = async (): Promise<void> => {
      while (next < to) {
        const index = next
        next += 1
        const { status, finding } = await sendOne(ground, seed, index)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (finding !== null) findings.push(finding)
        if ((index + 1) % 1000 === 0) onProgress(index + 1 - from)
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, work))
    return { findings, statuses }
  } finally {
    closeConnections()
    await world.close()
  }
}

interface JudgedGround extends Ground, Forbidden {}

interface SentOne {
  readonly status: number
  readonly finding: string | null
}

async function sendOne(ground: JudgedGround, seed: number, index: number): Promise<SentOne> {
  const { caller, outgoing } = makeInput(openDice(seed + index * 7919), ground)
  const startedMs = cpuMs()
  const report = (problem: string): string =>
    `input ${index}: ${caller.name}: ${outgoing.method} ${outgoing.url.slice(0, 300)} ${JSON.stringify(outgoing.headers).slice(0, 300)} ${(outgoing.body ?? '').slice(0, 600)}\n    ${problem}`
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new LateError()), NO_ANSWER_MS)
  try {
    const answer = await Promise.race([send(outgoing), late.promise])
    const problem = judge({ outgoing, answer, tookMs: cpuMs() - startedMs }, ground)
    return { status: answer.status, finding: problem === null ? null : report(problem) }
  } catch (error) {
    if (isHangUp(error)) return { status: 0, finding: null }
    return { status: 0, finding: report(error instanceof Error ? error.message : String(error)) }
  } finally {
    clearTimeout(timer)
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

class LateError extends Error {
  override readonly name = 'LateError'

  constructor() {
    super(`no answer within ${NO_ANSWER_MS} ms`)
  }
}

/** A body that is refused before its end is cut off with the connection. */
function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

function secretsOf({ environment }: TwoRegions): Forbidden['secrets'] {
  const secrets = openSecretSet()
  keepSettings(secrets, { environment })
  const { frontDoor, eu, us } = environment
  for (const { DATABASE_URL: url } of [frontDoor, eu, us]) if (url !== undefined) secrets.keep('DATABASE_URL', url)
  return secrets.needles
}

async function prepare(world: World): Promise<JudgedGround> {
  const routes = hostileRoutes()
  const secluded = await Promise.all((['eu', 'us'] as const).map((home) => seclude(world.sites, home)))
  return {
    world,
    routes,
    recorded: await record(world, routes),
    baits: secluded.flatMap(({ baits }) => baits),
    foreignIds: secluded.flatMap(({ foreignIds }) => foreignIds),
    secrets: secretsOf(world.sites),
  }
}

/**
 * A company and a person that meet no other account. Inputs contain some of their ids, which a caller may store as a name
 * and read again; the others must be in no answer. Share codes are no baits: their owner is found by them.
 */
async function seclude(sites: TwoRegions, home: 'eu' | 'us'): Promise<Pick<JudgedGround, 'baits' | 'foreignIds'>> {
  const company = await newCompany(sites, `a secluded company in ${home}`, home)
  const person = await newPerson(sites, `a secluded person in ${home}`, home)
  const hook = { url: 'https://receiver.example/secluded', enabled: false }
  const { id: webhookId } = await requireAs(company, 'POST', `/api/services/${company.serviceId}/webhooks`, hook)
  const { id: clientId } = await requireAs(company, 'POST', '/api/account/clients', { name: 'S', capabilities: [] })
  const codes = await Promise.all([company, person].map((owner) => shareCodeOf(owner)))
  return {
    baits: texts([company.serviceId, webhookId, clientId, person.userId]),
    foreignIds: texts([company.userId, company.spareServiceId, company.clientId, ...codes]),
  }
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string')
}

/** A valid request for each route and owner, where the owner has the objects for it. */
async function record(world: World, routes: readonly HostileRoute[]): Promise<Recorded> {
  const owners = [...new Set(world.callers.filter(isKnown).map(({ owner }) => owner))]
  const known = new Map<HostileRoute, Map<WorldOwner, Parts>>()
  for (const route of routes) {
    const byOwner = new Map<WorldOwner, Parts>()
    for (const owner of owners) {
      const parts = await partsFor(world, route.route, owner, null).catch(() => null)
      if (parts !== null) byOwner.set(owner, parts)
    }
    known.set(route, byOwner)
  }
  return (route, owner) => known.get(route)?.get(owner)
}
