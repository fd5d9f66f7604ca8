import { setTimeout as pause } from 'node:timers/promises'
import {
  type Cluster,
  type Scenario,
  type ScenarioContext,
  startCluster,
  UNLIMITED_RATES,
  waitUntil,
  zero,
} from '@sealpost/testkit'
import { callWhoami, type IssuedToken } from '../calls.ts'
import { canLogIn, createIdleUser, rewrapKeys } from './idle-user.ts'
import { ringStages, signingStages, type Stage, together } from './stages.ts'
import { startSteadyLoad, type SteadyLoad } from './steady-load.ts'

/** A region reads the published keys when it sees an unknown one, at most every five seconds; an operator waits a minute. */
const KEYS_KNOWN_MS = 5500
/** Withdrawn signing keys end within a minute. */
const KEYS_END_MS = 75_000

/** The settings that change, and the apps that restart with them. */
interface Rotation {
  readonly name: string
  readonly groups: readonly (keyof Groups)[]
  readonly stages: readonly Stage[]
}

type Groups = Pick<Cluster, 'frontDoors' | 'eu' | 'us'>
const ALL: readonly (keyof Groups)[] = ['frontDoors', 'eu', 'us']

interface Size {
  /** API processes in us. */
  readonly apisInUs: number
  /** Replaces all keys at once in eu, as one change of an operator's settings would, instead of one after the other. */
  readonly isAtOnce: boolean
  readonly hasRefusalCheck: boolean
}

export const rotationScenario: Scenario<Size> = {
  name: 'rotation',
  about: 'signing keys, pepper and data key replaced by rolling restarts under load, without a refused call',
  sizes: {
    // us keeps its keys in the small size; its callers are part of the load.
    small: { apisInUs: 1, isAtOnce: true, hasRefusalCheck: false },
    full: { apisInUs: 2, isAtOnce: false, hasRefusalCheck: true },
  },
  bars: [...zero('refused', 'lost', 'old_keys_published', 'idle_users_locked_out'), { figure: 'rotated', atLeast: 3 }],
  async run(context, size) {
    const cluster = await startCluster({
      frontDoors: 2,
      apis: { eu: 2, us: size.apisInUs },
      settings: UNLIMITED_RATES,
      onStep: (step) => context.progress(step),
    })
    context.onEnd(() => cluster.stop())
    const idleUser = await createIdleUser(cluster)
    const load = startSteadyLoad(cluster.frontDoorUrl)
    context.onEnd(() => load.end())
    const rotations = await planRotations(cluster, size)
    const oldToken = (await load.anyToken()).token
    const progress = { restarts: 0 }
    for (const rotation of rotations) await rotate(context, { cluster, load, progress }, rotation)
    await load.end()
    return {
      ...load.run.counts,
      rotated: rotations.flatMap(({ name }) => name.split(' and ')).length,
      restarts: progress.restarts,
      idle_users_locked_out: (await canLogIn(cluster, idleUser)) ? 0 : 1,
      old_keys_published: await countOldKeys(cluster),
      ...(size.hasRefusalCheck ? { old_tokens_accepted: await awaitRefusal(oldToken) } : {}),
    }
  },
}

async function countOldKeys({ frontDoors }: Cluster): Promise<number> {
  const published = await Promise.all(frontDoors.map(async ({ url }) => (await fetch(`${url}/oauth2/jwks`)).text()))
  return published.filter((keys) => keys.includes('"dev-')).length
}

/** Fails the run when regions accept a token of the old key for too long. */
async function awaitRefusal(token: IssuedToken | null): Promise<number> {
  if (token === null) throw new Error('no client got a token before the keys changed')
  const isRefused = async () => (await callWhoami(token)).kind === 'refused'
  await waitUntil('tokens of the old key are refused', KEYS_END_MS, isRefused)
  return 0
}

async function planRotations({ environment }: Cluster, { isAtOnce }: Size): Promise<readonly Rotation[]> {
  const signing = await signingStages(environment.frontDoor['SIGNING_KEYS'] ?? '')
  const pepper = ringStages('SECRET_PEPPER', environment.frontDoor['SECRET_PEPPER'] ?? '')
  const dataKey = ringStages('DATA_KEY', environment.eu['DATA_KEY'] ?? '')
  if (isAtOnce) {
    const stages = together([signing, pepper, dataKey])
    return [{ name: 'SIGNING_KEYS and SECRET_PEPPER and DATA_KEY', groups: ['frontDoors', 'eu'], stages }]
  }
  return [
    { name: 'SIGNING_KEYS', groups: ['frontDoors'], stages: signing },
    { name: 'SECRET_PEPPER', groups: ALL, stages: pepper },
    { name: 'DATA_KEY', groups: ['eu', 'us'], stages: dataKey },
  ]
}

interface Site {
  readonly cluster: Cluster
  readonly load: SteadyLoad
  readonly progress: { restarts: number }
}

async function rotate(context: ScenarioContext, site: Site, { name, groups, stages }: Rotation): Promise<void> {
  for (const { name: stage, settings } of stages) {
    if (stage === 'old one removed') await leaveOldKey(site, groups)
    await Promise.all(groups.map((group) => restartInTurn(site, site.cluster[group], settings)))
    if (stage === 'both known') await pause(KEYS_KNOWN_MS)
    const { tokens, data_calls, logins, refreshes, refused, retried } = site.load.run.counts
    const done = `${tokens} tokens, ${data_calls} data calls, ${logins} logins, ${refreshes} refreshes`
    context.progress(`${name}: ${stage}; ${done}; ${refused} refused, ${retried} retried`)
  }
}

/** Before the old key is removed, its last token must have expired and everything stored under it must be rewrapped. */
async function leaveOldKey({ cluster, load }: Site, groups: readonly (keyof Groups)[]): Promise<void> {
  await load.renewTokens()
  for (const group of groups) if (group !== 'frontDoors') await rewrapKeys(cluster[group])
}

async function restartInTurn(
  { progress }: Site,
  processes: Cluster['eu'],
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (const one of processes) {
    await one.stop()
    await one.start(settings)
    progress.restarts += 1
  }
}
