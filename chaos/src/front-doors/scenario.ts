import { type Bar, type Cluster, type Scenario, type ScenarioContext, startCluster, waitUntil } from '@sealpost/testkit'
import { checkTokens } from './check-tokens.ts'
import { measureQuota } from './quota.ts'
import { moveSessions } from './sessions.ts'
import { startTokenLoad, type TokenLoad } from './token-load.ts'

interface Size {
  readonly tokens: number
  /** Of the tokens, how many are also used for a data call. */
  readonly calls: number
}

const FULL: Size = { tokens: 10_000, calls: 1000 }
const SMALL: Size = { tokens: 2000, calls: 100 }

const bars: readonly Bar[] = [
  { figure: 'lost', atMost: 0 },
  { figure: 'unverified', atMost: 0 },
  { figure: 'calls_refused', atMost: 0 },
  { figure: 'sessions_broken', atMost: 0 },
  { figure: 'sessions_left', atMost: 0 },
  { figure: 'over_quota', atMost: 0 },
  { figure: 'under_quota', atMost: 0 },
  { figure: 'kills', atLeast: 1 },
  { figure: 'restarted_serves', atLeast: 1 },
]

const STALL_MS = 120_000
/** Everything comes from one address here: the size of its bucket is a setting, the taking stays. */
const WIDE = '60000000'
const SETTINGS = {
  RATE_TOKEN: WIDE,
  RATE_DATA: WIDE,
  RATE_LOGIN_IP: WIDE,
  RATE_LOGIN_ACCOUNT: WIDE,
  TRUSTED_PROXIES: '127.0.0.1',
}

export const frontDoorsScenario: Scenario = {
  name: 'front-doors',
  about: 'token requests through two front doors while one of them is killed; limits that hold over both',
  bars,
  async run(context) {
    const size = context.isSmall ? SMALL : FULL
    const cluster = await startCluster({
      frontDoors: 2,
      apis: { eu: 1, us: 1 },
      settings: SETTINGS,
      onStep: (step) => context.progress(step),
    })
    context.onEnd(() => cluster.stop())
    const load = startTokenLoad(cluster.frontDoorUrl)
    context.onEnd(() => load.end())
    const restarted = await killOne(context, cluster, load, size)
    await load.end()
    context.progress(`${load.tokens.length} tokens, ${load.counts.retried} after a second try`)
    const checked = await checkTokens(cluster.frontDoorUrl, load.tokens, size.calls)
    const sessions = await moveSessions(context, cluster)
    const quota = await measureQuota(context, cluster)
    return {
      tokens: load.tokens.length,
      ...load.counts,
      kills: 1,
      restarted_serves: restarted,
      ...checked,
      ...sessions,
      ...quota,
    }
  },
}

/** By what was issued, not by the clock; answers how many tokens were issued after the killed one was back. */
async function killOne(context: ScenarioContext, cluster: Cluster, load: TokenLoad, size: Size): Promise<number> {
  const issued = async (share: number) => {
    const due = Math.floor(size.tokens * share)
    await waitUntil(`${due} tokens were issued`, STALL_MS, () => load.tokens.length >= due)
  }
  const [victim] = cluster.frontDoors
  if (victim === undefined) throw new Error('there is no front door to kill')
  await issued(1 / 3)
  await victim.kill()
  context.progress(`${load.tokens.length} of ${size.tokens} tokens; killed ${victim.name}`)
  await issued(2 / 3)
  await victim.start()
  const before = load.tokens.length
  context.progress(`${before} of ${size.tokens} tokens; ${victim.name} is back`)
  const direct = startTokenLoad(victim.url, 1)
  await waitUntil('the restarted front door issues tokens', STALL_MS, () => direct.tokens.length > 0)
  await direct.end()
  await waitUntil('the load goes on', STALL_MS, () => load.tokens.length >= Math.max(size.tokens, before + 100))
  return direct.tokens.length
}
