import { parseParty } from '@sealpost/bus'
import { openInternalServer, postgresIdempotency } from '@sealpost/http'
import { SettingsError } from '@sealpost/kernel'
import { ping } from '@sealpost/postgres'
import { type EngineCheck, knownState, watchEngines } from '@sealpost/process'
import { type Api, openApi } from './api.ts'
import { bindOperations, type RegionOperations } from './commands/operations.ts'
import { compose, listModules, type Modules, regionMigrations } from './compose.ts'
import { regionHooks } from './hooks.ts'
import type { Guard } from './modules/access/index.ts'
import { type EngineOptions, openEngines } from './platform/engines.ts'
import type { Chore, Closable, Platform } from './platform/module.ts'
import { type RedisLimits, openRedisLimits } from './platform/redis-limits.ts'
import { removeAll } from './platform/remove-all.ts'
import { openReader, openSeal, sealCheck } from './platform/seal.ts'
import { startUpkeep } from './platform/upkeep.ts'
import type { RegionSettings } from './settings.ts'

/** An opened region: engines and modules, nothing served yet. */
export interface Region {
  readonly platform: Platform
  readonly modules: Modules
  readonly shared: RedisLimits
  /** Null where nothing is served: on the command line. */
  readonly guard: Guard | null
  /** Rejects while the database lacks a step of this release. */
  readonly checkSchema: () => Promise<void>
  readonly idempotency: ReturnType<typeof postgresIdempotency>
  readonly operations: RegionOperations
  close(): Promise<void>
}

export interface RunningRegion extends Region {
  readonly api: Api | null
  /** Null when this process does not run the `api` role. */
  readonly url: string | null
  readonly internalUrl: string
  /** The readiness check fails from now on; calls are still served. */
  drain(): void
}

export async function openRegion(settings: RegionSettings, options: EngineOptions): Promise<Region> {
  const { platform, guard, checkSchema, close } = await openEngines(settings, options, regionMigrations)
  // Only processes that answer other regions hold the key.
  const seal = options.roles.responder ? await openOrClose(() => openSeal(platform), close) : null
  const shared = await openRedisLimits(platform, options.roles.responder)
  const reader = openReader(platform)
  const modules = compose(platform, { sealer: seal, reader, shared }, regionHooks)
  return {
    platform,
    modules,
    shared,
    guard,
    checkSchema,
    idempotency: postgresIdempotency(platform.database, platform.clock, platform.ids),
    operations: bindOperations(modules),
    async close() {
      await platform.bus.close()
      for (const module of listModules(modules)) await module.close?.()
      await shared.close()
      await seal?.close()
      await reader.close()
      await close()
    },
  }
}

async function openOrClose<Part>(open: () => Part, close: () => Promise<void>): Promise<Part> {
  try {
    return open()
  } catch (error) {
    await close()
    throw error
  }
}

const ROLES = ['api', 'worker']

/** Opens the region, runs the roles of `REGION_ROLES` and listens. */
export async function startRegion(
  settings: RegionSettings,
  options: Omit<EngineOptions, 'roles'>,
): Promise<RunningRegion> {
  const roles = readRoles(settings.REGION_ROLES)
  const region = await openRegion(settings, {
    ...options,
    roles: { relay: roles.worker, inbox: roles.worker, responder: roles.api },
  })
  const { platform } = region
  await platform.bus.start()
  const worker = roles.worker ? await startWorker(region) : null
  const api = roles.api ? await openApi({ ...region, ...requireServing(region) }) : null
  const url = api === null ? null : await api.server.listen({ host: settings.LISTEN_HOST, port: settings.LISTEN_PORT })
  // Without its bus, Redis or file store a region is degraded; without its database it serves nothing.
  const engines = watchEngines(platform, engineChecks(platform, api))
  const checks = [
    { name: 'database', run: () => ping(platform.database.reserved) },
    { name: 'schema', run: region.checkSchema },
  ]
  const internal = openInternalServer(platform.telemetry, checks, () => engines.degraded())
  const internalUrl = await internal.listen({ host: settings.INTERNAL_HOST, port: settings.INTERNAL_PORT })
  return {
    ...region,
    api,
    url,
    internalUrl,
    drain() {
      internal.drain()
      api?.server.drain()
      for (const module of listModules(region.modules)) module.drain?.()
    },
    async close() {
      // First: other processes take the asks from now on, while everything that answers them is still open.
      await platform.bus.leave()
      for (const module of listModules(region.modules)) module.drain?.()
      // At the same time: a long download must not keep the jobs from ending well.
      await Promise.all([api?.close(), worker?.close(), engines.close()])
      await region.close()
      await internal.close()
    },
  }
}

function engineChecks(platform: Platform, api: Pick<Api, 'isRedisUsed'> | null): readonly EngineCheck[] {
  const { bus, objects, settings } = platform
  return [
    ...(api === null ? [] : [knownState('redis', api.isRedisUsed, 'limits are counted in this process')]),
    ...settings.REGIONS.map(({ code }) =>
      knownState(`nats of ${code}`, () => !bus.awayCarriers().includes(parseParty(code)), 'not connected'),
    ),
    { engine: 'file store', run: () => objects.ping() },
    ...(api === null ? [] : sealCheck(platform)),
  ]
}

/** The worker role: jobs, upkeep, and what each module runs in the background. */
async function startWorker(region: Region): Promise<Closable> {
  const { jobs, settings } = region.platform
  await jobs.start({ databaseUrl: settings.DATABASE_URL.reveal(), connectTimeoutMs: settings.DATABASE_WAIT_MS })
  const running: Closable[] = [jobs, startUpkeep(region.platform, choresOf(region))]
  for (const module of listModules(region.modules)) if (module.start !== undefined) running.push(await module.start())
  return {
    async close() {
      for (const part of running.toReversed()) await part.close()
    },
  }
}

const ANSWERS_AT_ONCE = 1000

/** The periodic tasks of the worker role. */
export function choresOf({ modules, idempotency }: Pick<Region, 'modules' | 'idempotency'>): readonly Chore[] {
  return [
    {
      what: 'answers kept for Idempotency-Keys',
      run: () => removeAll(ANSWERS_AT_ONCE, (limit) => idempotency.removeExpired(limit)),
    },
    ...listModules(modules).flatMap((module) => module.chores ?? []),
  ]
}

function requireServing({ guard, shared: { opened } }: Region) {
  if (guard === null || opened === null) throw new Error('the API role needs a region that serves')
  return { guard, shared: opened }
}

function readRoles(names: readonly string[]): { readonly api: boolean; readonly worker: boolean } {
  const unknown = names.find((name) => !ROLES.includes(name))
  if (unknown !== undefined || names.length === 0) {
    throw new SettingsError([`REGION_ROLES: takes ${ROLES.join(' and ')}, not ${unknown ?? 'nothing'}`])
  }
  return { api: names.includes('api'), worker: names.includes('worker') }
}
