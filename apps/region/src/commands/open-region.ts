import type { Clock, Ids, Random } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { quietTelemetry } from '@sealpost/telemetry'
import { openRegion, type Region } from '../region.ts'
import type { RegionSettings } from '../settings.ts'
import type { RegionOperations } from './operations.ts'

const NOTHING_SERVED = { relay: false, inbox: false, responder: false }

/** Opens the region for one command, which serves nothing, and closes it afterwards. */
export async function withRegion<T>(settings: RegionSettings, run: (region: Region) => Promise<T>): Promise<T> {
  const region = await openUnserved(settings, { clock: systemClock, ids: systemIds(), random: systemRandom })
  try {
    return await run(region)
  } finally {
    await region.close()
  }
}

/** The operations alone, for seeds. */
export async function openRegionOperations(
  settings: RegionSettings,
  sources: Sources,
): Promise<RegionOperations & { close(): Promise<void> }> {
  const region = await openUnserved(settings, sources)
  return { ...region.operations, close: () => region.close() }
}

interface Sources {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
}

function openUnserved(settings: RegionSettings, sources: Sources): Promise<Region> {
  return openRegion(settings, { ...sources, telemetry: quietTelemetry(), roles: NOTHING_SERVED })
}
