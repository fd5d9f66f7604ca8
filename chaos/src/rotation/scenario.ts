import { setTimeout as pause } from 'node:timers/promises'
import { type Bar, type Cluster, type Scenario, type ScenarioContext, startCluster, waitUntil } from '@sealpost/testkit'
import { callWhoami, type IssuedToken } from '../calls.ts'
import { putToSleep, rewrapKeys, wakeUp } from './sleeper.ts'
import { ringStages, signingStages, type Stage, together } from './stages.ts'
import { startSteadyLoad, type SteadyLoad } from './steady-load.ts'

const bars: readonly Bar[] = [
  { figure: 'refused', atMost: 0 },
  { figure: 'lost', atMost: 0 },
  { figure: 'rotated', atLeast: 3 },
  { figure: 'old_keys_published', atMost: 0 },
  { figure: 'sleepers_locked_out', atMost: 0 },
]

const WIDE = '60000000'
const WIDE_LIMITS = { RATE_TOKEN: WIDE, RATE_DATA: WIDE, RATE_LOGIN_IP: WIDE, RATE_LOGIN_ACCOUNT: WIDE }
/** A region looks for an unknown signing key at once, but not twice within five seconds; an operator waits a minute. */
const KEYS_SETTLE_MS = 5500
/** Withdrawn signing keys end within a minute. */
const KEYS_END_MS = 75_000

/** Which settings change, for which apps. */
interface Rotation {
  readonly name: string
  readonly groups: readonly (keyof Groups)[]
  readonly stages: readonly Stage[]
}

type Groups = Pick<Cluster, 'frontDoors' | 'eu' | 'us'>
const ALL: readonly (keyof Groups)[] = ['frontDoors', 'eu', 'us']

export const rotationScenario: Scenario = {
  name: 'rotation',
  about: 'signing keys, pepper and data key replaced by rolling restarts under load, without a refused call',
  bars,
  async run(context) {
    const cluster = await startCluster({
      frontDoors: 2,
      // The small run leaves one region alone: it has keys of its own, and its callers come along.
      apis: { eu: 2, us: context.isSmall ? 1 : 2 },
      settings: WIDE_LIMITS,
      onStep: (step) => context.progress(step),
    })
    context.onEnd(() => cluster.stop())
    const sleeper = await putToSleep(cluster)
    const load = startSteadyLoad(cluster.frontDoorUrl)
    context.onEnd(() => load.end())
    const rotations = await planRotations(cluster, context.isSmall)
    const veteran = (await load.anyToken()).token
    const progress = { restarts: 0 }
    for (const rotation of rotations) await rotate(context, { cluster, load, progress }, rotation)
    await load.end()
    return {
      ...load.run.counts,
      rotated: rotations.flatMap(({ name }) => name.split(' and ')).length,
      restarts: progress.restarts,
      sleepers_locked_out: (await wakeUp(cluster, sleeper)) ? 0 : 1,
      old_keys_published: await countOldKeys(cluster),
      ...(context.isSmall ? {} : { old_tokens_accepted: await awaitRefusal(veteran) }),
    }
  },
}

async function countOldKeys({ frontDoors }: Cluster): Promise<number> {
  const published = await Promise.all(frontDoors.map(async ({ url }) => (await fetch(`${url}/oauth2/jwks`)).text()))
  return published.filter((keys) => keys.includes('"dev-')).length
}

/** Fails the run when a token of the old key outlives it by more than regions may take. */
async function awaitRefusal(token: IssuedToken | null): Promise<number> {
  if (token === null) throw new Error('no client got a token before the keys changed')
  const isRefused = async () => (await callWhoami(token)).kind === 'refused'
  await waitUntil('tokens of the old key are refused', KEYS_END_MS, isRefused)
  return 0
}

/** In full one after the other; the small run lets them go together, as one change of an operator's files would. */
async function planRotations({ environment }: Cluster, isSmall: boolean): Promise<readonly Rotation[]> {
  const signing = await signingStages(environment.frontDoor['SIGNING_KEYS'] ?? '')
  const pepper = ringStages('SECRET_PEPPER', environment.frontDoor['SECRET_PEPPER'] ?? '')
  const dataKey = ringStages('DATA_KEY', environment.eu['DATA_KEY'] ?? '')
  if (isSmall) {
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
  for (const { what, settings } of stages) {
    if (what === 'the old one is gone') await leaveOldKey(site, groups)
    await Promise.all(groups.map((group) => restartInTurn(site, site.cluster[group], settings)))
    if (what === 'both are known') await pause(KEYS_SETTLE_MS)
    const { tokens, data_calls, logins, refreshes, refused, retried } = site.load.run.counts
    const done = `${tokens} tokens, ${data_calls} data calls, ${logins} logins, ${refreshes} refreshes`
    context.progress(`${name}: ${what}; ${done}; ${refused} refused, ${retried} tried again`)
  }
}

/** What an operator does before the old key goes: waits until its last token has expired, and rewraps what rests under it. */
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
