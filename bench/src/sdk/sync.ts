import { northwind, type ScenarioContext } from '@sealpost/testkit'
import { seedConnections, vacuumConnections } from '../connections/seed.ts'
import type { Site } from '../connections/site.ts'
import { FAMILY } from '../connections/targets.ts'
import { openLineProgram } from '../line-program.ts'

/** A program reads the list of all connections as a first full copy does; its memory must not grow with the list. */
export async function measureSync(
  context: ScenarioContext,
  { databaseUrl, companyId, serviceId, fields, installation }: Site,
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const seeding = { companyId, serviceId, fields, count, family: FAMILY }
  await seedConnections(databaseUrl, seeding, (done) => {
    if (done % 100_000 === 0) context.progress(`seeded ${done} connections`)
  })
  await vacuumConnections(databaseUrl)
  const { send } = openLineProgram(context, new URL('sync-program.ts', import.meta.url), {
    FRONT_DOOR: installation.frontDoor.url,
    CLIENT_ID: northwind.clientId,
    CLIENT_SECRET: northwind.clientSecret,
  })
  const began = performance.now()
  const [synced = 0, peakMb = Number.NaN] = (await send('sync')).split(' ').map(Number)
  const seconds = Math.max(1, Math.round((performance.now() - began) / 1000))
  context.progress(`synced ${synced} connections in ${seconds} s with at most ${peakMb} MB`)
  return { synced, sync_missing: count - synced, sync_peak_mb: peakMb, synced_per_second: Math.round(synced / seconds) }
}
