import { createTokenVerifier } from '@sealpost/access-token'
import { bindRoute, type Gates, openServer } from '@sealpost/http'
import { type Random, readSettings } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { whoami } from '@sealpost/protocol'
import { openCore, regionSettings } from '@sealpost/region'
import { createGates, loadSigningKeys, openGuard, quotasOf } from '@sealpost/region/access'
import { quietTelemetry, startTelemetry, type Telemetry } from '@sealpost/telemetry'
import Fastify from 'fastify'
import { BODY } from './rungs.ts'

/** One rung of the ladder as a process: `node rung-server.ts RUNG PORT`, with a region's settings around it. */
const [rung = '', port = '0'] = process.argv.slice(2)
const random: Random = systemRandom
const ids = systemIds()

if (rung === 'bare') await serveBare()
else await serveBound(telemetryOf(rung))

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
    trustedProxies: [],
    appOrigins: [],
  })
  const answer = { operation: whoami, handle: () => BODY }
  if (rung === 'guarded') bindRoute(server, await guardedGates(telemetry), answer)
  else bindRoute(server, openGates(), answer)
  await server.listen({ host: '127.0.0.1', port: Number(port) })
}

function openGates(): Gates<null> {
  return {
    checkPlatform() {},
    authenticate: () => null,
    checkHome() {},
    checkAccess() {},
    takeFromLimits: () => [],
    checkWrites() {},
    checkLevel() {},
    nameOf: () => 'anybody',
  }
}

/** The region's own gates, but for the limit. */
async function guardedGates(telemetry: Telemetry) {
  const settings = readSettings(regionSettings, process.env)
  const roles = { relay: false, inbox: false, responder: false }
  const core = await openCore(settings, { clock: systemClock, ids, random, telemetry, roles })
  const { database, clientDirectory: directory } = core
  const gates = createGates({
    region: core.region,
    guard: await openGuard({
      database,
      clock: systemClock,
      ids,
      log: telemetry.log,
      monotonicMs: () => performance.now(),
      onChange: () => Promise.resolve(() => Promise.resolve()),
    }),
    verifier: createTokenVerifier({
      issuer: settings.FRONT_DOOR_URL,
      clock: systemClock,
      loadKeys: () => loadSigningKeys({ database, directory, log: telemetry.log }),
    }),
    quotas: quotasOf(settings),
    limiter: { take: () => Promise.reject(new Error('not on this rung')), isShared: () => false, close() {} },
    raiseEpoch: () => Promise.reject(new Error('no epoch is raised in this bench')),
    homeOf: () => Promise.reject(new Error('every caller of this bench is at home')),
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
    traceExporterUrl: name === 'logged' ? null : (process.env['RUNG_TRACE_URL'] ?? null),
    clock: systemClock,
    random,
  })
}
