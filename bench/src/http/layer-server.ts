import { createTokenVerifier } from '@sealpost/access-token'
import { bindRoute, openServer } from '@sealpost/http'
import { type Random, readSettings } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { whoami } from '@sealpost/protocol'
import { openRegion, regionSettings } from '@sealpost/region'
import { createGates, loadSigningKeys, openGuard, quotasOf } from '@sealpost/region/access'
import { quietTelemetry, startTelemetry, type Telemetry } from '@sealpost/telemetry'
import { openGates } from '@sealpost/testkit/open-gates'
import Fastify from 'fastify'
import { BODY } from './layers.ts'

/** Serves one layer: `node layer-server.ts LAYER PORT`, with the settings of a region. */
const [layer = '', port = '0'] = process.argv.slice(2)
const random: Random = systemRandom
const ids = systemIds()

if (layer === 'bare') await serveBare()
else await serveBound(telemetryOf(layer))

async function serveBare(): Promise<void> {
  const fastify = Fastify()
  fastify.get(whoami.path, () => BODY)
  await fastify.listen({ host: '127.0.0.1', port: Number(port) })
}

async function serveBound(telemetry: Telemetry): Promise<void> {
  const server = openServer({
    telemetry,
    ids,
    headerVendor: 'Platform',
    apiVersion: '1',
    errorsUrl: 'https://front.example/docs/errors',
    trustedProxies: [],
    appOrigins: [],
  })
  const answer = { operation: whoami, handle: () => BODY }
  if (layer === 'guarded') bindRoute(server, await guardedGates(telemetry), answer)
  else bindRoute(server, openGates, answer)
  await server.listen({ host: '127.0.0.1', port: Number(port) })
}

/** The region's own gates without the rate limit. */
async function guardedGates(telemetry: Telemetry) {
  const settings = readSettings(regionSettings, process.env)
  const roles = { relay: false, inbox: false, responder: false }
  const { platform, modules } = await openRegion(settings, { clock: systemClock, ids, random, telemetry, roles })
  const { database } = platform
  const { directory } = modules.access
  const gates = createGates({
    region: platform.region,
    guard: await openGuard({
      database,
      clock: systemClock,
      ids,
      log: telemetry.log,
      monotonicMs: () => performance.now(),
      onNotify: () => Promise.resolve({ close: () => Promise.resolve() }),
    }),
    verifier: createTokenVerifier({
      issuer: settings.FRONT_DOOR_URL,
      clock: systemClock,
      loadKeys: () => loadSigningKeys({ database, directory, log: telemetry.log }),
    }),
    quotas: quotasOf(settings),
    limiter: {
      take: () => Promise.reject(new Error('no limiter in this layer')),
      giveBack: () => Promise.reject(new Error('no limiter in this layer')),
      isShared: () => false,
      close() {},
    },
    raiseEpoch: () => Promise.reject(new Error('no epoch is raised in this benchmark')),
    homeOf: () => Promise.reject(new Error('every caller of this benchmark is at home')),
  })
  return { ...gates, takeFromLimits: () => [] }
}

function telemetryOf(name: string): Telemetry {
  if (name === 'bound') return quietTelemetry()
  return startTelemetry({
    service: 'bench',
    version: '0',
    instanceId: 'bench',
    logLevel: 'info',
    logDestination: 'stdout',
    traceExporterUrl: name === 'logged' ? null : (process.env['LAYER_TRACE_URL'] ?? null),
    clock: systemClock,
    random,
  })
}
