import { createHash } from 'node:crypto'
import { createIds, type Ids, instant } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { recordingTelemetry, type RecordingTelemetry } from '@sealpost/telemetry'
import { afterAll, beforeEach } from 'vitest'
import { addressName } from '../address.ts'
import type { Call, Gates, LimitState } from '../gates.ts'
import type { HttpServer } from '../http-server.ts'
import type { ServerOptions } from '../server-options.ts'
import { openServer } from '../server.ts'
import { memoryIdempotency } from './memory-store.ts'
import { bindTestRoutes } from './routes.ts'
import type { Script } from './script.ts'

export { OTHERS_THING, THING } from './routes.ts'

export const APP_ORIGIN = 'https://app.example'

export interface TestServer extends Script {
  readonly server: HttpServer
  readonly url: string
  readonly telemetry: RecordingTelemetry
  /** With a valid token by default. */
  send(path: string, init?: RequestInit): Promise<Response>
  /** Resets the script of the last test. */
  reset(): void
  close(): Promise<void>
}

interface TestCaller {
  readonly name: string
}

const FULL: LimitState = {
  policy: 'data',
  quota: 600,
  windowSeconds: 60,
  remaining: 599,
  resetSeconds: 31,
  retryAfterSeconds: 0,
  allowed: true,
}

export const ERRORS_URL = 'https://door.test/docs/errors'

/** A server for all tests of a file; each begins with a fresh script. */
export async function openTestServer(): Promise<TestServer> {
  const api = await startTestServer()
  beforeEach(() => api.reset())
  afterAll(() => api.close())
  return api
}

export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const telemetry = recordingTelemetry()
  const script: Script = {
    asked: [],
    refusals: new Map(),
    created: [],
    addresses: [],
    closed: [],
    streams: [],
    limits: [FULL],
    before: () => {},
    waitAtHome: () => Promise.resolve(),
  }
  const server = openServer({
    telemetry,
    ids: testIds(),
    headerVendor: 'Platform',
    apiVersion: '1',
    errorsUrl: ERRORS_URL,
    trustedProxies: [],
    appOrigins: [APP_ORIGIN],
    idempotency: memoryIdempotency(clock, testIds()),
    strictContract: true,
    ...options,
  })
  bindTestRoutes(server, testGates(script), script)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return Object.assign(script, {
    server,
    url,
    telemetry,
    send: (path: string, init: RequestInit = {}) =>
      fetch(url + path, {
        ...init,
        headers: { authorization: 'Bearer good', ...Object.fromEntries(new Headers(init.headers)) },
      }),
    reset() {
      script.asked.length = 0
      script.refusals.clear()
      script.limits = [FULL]
      script.before = () => {}
      script.waitAtHome = () => Promise.resolve()
    },
    close: () => server.close(1000),
  })
}

const clock = { now: () => instant(0) }

function testIds(): Ids {
  let made = 0
  // The clock stands still, so the ids differ by their random part alone.
  return createIds(clock, {
    bytes: (length) =>
      createHash('sha256')
        .update(String((made += 1)))
        .digest()
        .subarray(0, length),
  })
}

function testGates(script: Script): Gates<TestCaller> {
  const pass = (gate: string): void => {
    script.asked.push(gate)
    const refusal = script.refusals.get(gate)
    if (refusal !== undefined) throw refusal()
  }
  return {
    checkPlatform: () => pass('platform'),
    authenticate: (call: Call) => {
      pass('authenticate')
      if (call.bearer === null) throw refuse('auth.token_missing')
      if (call.bearer === 'old') throw refuse('auth.expired')
      if (call.bearer !== 'good') throw refuse('auth.token_invalid')
      return { name: 'svc_test' }
    },
    checkHome: async () => {
      await script.waitAtHome()
      pass('home')
    },
    checkAccess: () => pass('access'),
    ownerOf: (call, caller) => caller?.name ?? addressName(call.ip),
    takeFromLimits: (call) => {
      pass('limits')
      script.addresses.push(call.ip)
      return script.limits
    },
    checkWrites: () => pass('writes'),
    checkLevel: () => pass('level'),
    nameOf: (caller) => caller.name,
  }
}
