import { openAsker, partiesOf } from '@sealpost/bus'
import { customerPolicy, type EgressOptions, openEgress } from '@sealpost/egress'
import { openCallQuota, openRedis } from '@sealpost/redis'
import type { ForwarderSettings } from '../settings.ts'
import type { Platform } from './module.ts'
import { openPluginPlaces, REFETCH_MS } from './plugin-places.ts'

/** The parts of the platform that the process provides. A test may bring its own way to plugins. */
export interface EngineOptions extends Pick<Platform, 'clock' | 'ids' | 'telemetry'> {
  readonly route?: Pick<EgressOptions, 'resolver' | 'dialer'>
}

export interface Engines {
  readonly platform: Platform
  readonly isRedisReady: () => boolean
  readonly close: () => Promise<void>
}

/** A killed process frees its places within 5 s, and no call is longer than the other two. */
const LEASE_REST_MS = 900
const WINDOW_MS = 60_000

export async function openEngines(settings: ForwarderSettings, options: EngineOptions): Promise<Engines> {
  const { clock, ids, telemetry } = options
  const asker = openAsker({
    parties: partiesOf(settings.REGIONS, settings),
    telemetry,
    ids,
    askTimeoutMs: settings.ASK_TIMEOUT_MS,
  })
  const redis = await openRedis({
    url: settings.REDIS_URL.reveal(),
    commandTimeoutMs: settings.REDIS_TIMEOUT_MS,
    telemetry,
  })
  const leaseMs = settings.PLUGIN_TIMEOUT_MS + REFETCH_MS + LEASE_REST_MS
  const quota = openCallQuota({
    redis,
    quota: settings.PLUGIN_RATE,
    windowMs: WINDOW_MS,
    places: settings.PLUGIN_INFLIGHT_MAX,
    leaseMs,
  })
  const places = openPluginPlaces(quota, leaseMs, ids, telemetry.log)
  const egress = openEgress({ policy: pluginPolicy(settings), clock, telemetry, ...options.route })
  return {
    platform: { settings, clock, ids, telemetry, asker, places, egress },
    isRedisReady: () => redis.isReady(),
    async close() {
      egress.close()
      await places.close()
      await asker.close()
      await redis.close()
    },
  }
}

/** Port 443 of public hosts; the setting for development also opens other ports. */
function pluginPolicy(settings: ForwarderSettings) {
  const { PUBLIC_URL, FRONT_DOOR_URL, REGIONS, ALLOW_PRIVATE_TARGETS } = settings
  const own = [PUBLIC_URL, FRONT_DOOR_URL, ...REGIONS.map(({ apiUrl }) => apiUrl)]
  const policy = customerPolicy({ ...settings, EGRESS_INTERNAL_HOSTS: [] }, own)
  return ALLOW_PRIVATE_TARGETS ? policy : { ...policy, ports: [443] }
}
