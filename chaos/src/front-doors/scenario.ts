import {
  atLeastOne,
  type Cluster,
  type Scenario,
  type ScenarioContext,
  startCluster,
  UNLIMITED_RATES,
  waitUntil,
  zero,
} from '@sealpost/testkit'
import { checkTokens } from './check-tokens.ts'
import { measureQuota } from './quota.ts'
import { moveSessions } from './sessions.ts'
import { startTokenLoad, type TokenLoad } from './token-load.ts'

interface Size {
  readonly tokens: number
  /** How many of the tokens are also used for a data call. */
  readonly calls: number
}

const STALL_MS = 120_000

export const frontDoorsScenario: Scenario<Size> = {
  name: 'front-doors',
  about: 'token requests through two front doors while one of them is killed; limits that hold over both',
  sizes: { small: { tokens: 2000, calls: 100 }, full: { tokens: 10_000, calls: 1000 } },
  bars: [
    ...zero('lost', 'unverified', 'calls_refused', 'sessions_lost', 'sessions_left', 'over_quota', 'under_quota'),
    ...atLeastOne('kills', 'tokens_after_restart'),
  ],
  async run(context, size) {
    const cluster = await startCluster({
      frontDoors: 2,
      apis: { eu: 1, us: 1 },
      settings: { ...UNLIMITED_RATES, TRUSTED_PROXIES: '127.0.0.1' },
      onStep: (step) => context.progress(step),
    })
    context.onEnd(() => cluster.stop())
    const load = startTokenLoad(cluster.frontDoorUrl)
    context.onEnd(() => load.end())
    const restarted = await killOne(context, cluster, load, size)
    await load.end()
    context.progress(`${load.tokens.length} tokens, ${load.counts.retried} after a retry`)
    const checked = await checkTokens(cluster.frontDoorUrl, load.tokens, size.calls)
    const sessions = await moveSessions(context, cluster)
    const quota = await measureQuota(context, cluster)
    return {
      tokens: load.tokens.length,
      ...load.counts,
      kills: 1,
      tokens_after_restart: restarted,
      ...checked,
      ...sessions,
      ...quota,
    }
  },
}

/** Kills after a third of the tokens; returns how many tokens the restarted front door issued by itself. */
async function killOne(context: ScenarioContext, cluster: Cluster, load: TokenLoad, size: Size): Promise<number> {
  const issued = async (share: number) => {
    const due = Math.floor(size.tokens * share)
    await waitUntil(`${due} tokens were issued`, STALL_MS, () => load.tokens.length >= due)
  }
  const [killed] = cluster.frontDoors
  if (killed === undefined) throw new Error('no front door to kill')
  await issued(1 / 3)
  await killed.kill()
  context.progress(`${load.tokens.length} of ${size.tokens} tokens; killed ${killed.name}`)
  await issued(2 / 3)
  await killed.start()
  const before = load.tokens.length
  context.progress(`${before} of ${size.tokens} tokens; ${killed.name} is up`)
  const direct = startTokenLoad(killed.url, 1)
  await waitUntil('the restarted front door issues tokens', STALL_MS, () => direct.tokens.length > 0)
  await direct.end()
  await waitUntil('the load continues', STALL_MS, () => load.tokens.length >= Math.max(size.tokens, before + 100))
  return direct.tokens.length
}
