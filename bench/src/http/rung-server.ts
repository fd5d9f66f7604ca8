import { bindRoute, type Gates, openServer } from '@sealpost/http'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { whoami } from '@sealpost/protocol'
import { quietTelemetry, startTelemetry, type Telemetry } from '@sealpost/telemetry'
import Fastify from 'fastify'
import { BODY } from './rungs.ts'

/** One rung of the ladder as a process: `node rung-server.ts RUNG PORT TRACE_URL`. */
const [rung = '', port = '0', traceUrl = ''] = process.argv.slice(2)

const openGates: Gates<null> = {
  checkPlatform() {},
  authenticate: () => null,
  checkHome() {},
  checkAccess() {},
  takeFromLimits: () => [],
  checkWrites() {},
  checkLevel() {},
  nameOf: () => 'anybody',
}

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
    ids: systemIds(),
    headerVendor: 'Platform',
    apiVersion: '1',
    trustedProxies: [],
    appOrigins: [],
  })
  bindRoute(server, openGates, { operation: whoami, handle: () => BODY })
  await server.listen({ host: '127.0.0.1', port: Number(port) })
}

function telemetryOf(name: string): Telemetry {
  if (name === 'bound') return quietTelemetry()
  return startTelemetry({
    service: 'bench',
    version: '0',
    instanceId: 'bench',
    logLevel: 'info',
    logDestination: 'stdout',
    traceExporterUrl: name === 'traced' ? traceUrl : null,
    clock: systemClock,
    random: systemRandom,
  })
}
