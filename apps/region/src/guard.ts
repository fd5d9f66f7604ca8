import type { BusSwitches } from '@sealpost/bus'
import type { Clock, Ids } from '@sealpost/kernel'
import { type Database, listen } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import { CHANGE_CHANNEL, type Guard, openGuard } from './modules/access/index.ts'
import type { RegionSettings } from './settings.ts'

export interface RegionGuardNeeds {
  readonly settings: RegionSettings
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly telemetry: Telemetry
}

/** Every process that serves the region has one: an operator's switch is turned when all of them know. */
export function openRegionGuard({ settings, database, clock, ids, telemetry }: RegionGuardNeeds): Promise<Guard> {
  return openGuard({
    database,
    clock,
    ids,
    log: telemetry.log,
    monotonicMs: () => performance.now(),
    async onChange(act) {
      const listener = await listen({
        url: settings.DATABASE_URL.reveal(),
        channels: [CHANGE_CHANNEL],
        onNotification: act,
        onReconnect: act,
        onError: (error) => telemetry.log.warn({ err: error }, 'the listener for access changes lost its connection'),
      })
      return () => listener.close()
    },
  })
}

/** What the bus asks; without a guard, for instance on the command line, nothing is served either. */
export function busSwitches(guard: Guard | null): Partial<BusSwitches> {
  if (guard === null) return {}
  return { isOutOfOrder: async () => (await guard.switches()).outOfOrder, isPaused: () => isPaused(guard) }
}

/** Unknown without a database, and then nothing could be written anyway. */
export async function isPaused(guard: Guard | null): Promise<boolean> {
  if (guard === null) return false
  try {
    return (await guard.switches()).writesPaused
  } catch {
    return true
  }
}
