import { createHash } from 'node:crypto'
import { createIds, type Ids, instant } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { recordingTelemetry, type RecordingTelemetry } from '@sealpost/telemetry'
import { answer } from '../answer.ts'
import { bindRoute } from '../bind-route.ts'
import type { Call, Gates, LimitState } from '../gates.ts'
import type { HttpServer, ServerOptions } from '../http-server.ts'
import { memoryIdempotency } from '../idempotency/memory-store.ts'
import { openServer } from '../server.ts'
import * as operations from './operations.ts'

export const THING = '01890a5d-ac96-774b-bcce-b302099a8057'
export const STRANGER = '01890a5d-ac96-774b-bcce-b302099a9999'
export const APP_ORIGIN = 'https://app.example'

/** What a test may put in the way of a request, and what happened. */
export interface Script {
  readonly asked: string[]
  /** Throws for the gate of that name. */
  readonly refusals: Map<string, () => Error>
  readonly created: string[]
  readonly closed: boolean[]
  limits: readonly LimitState[]
  /** Runs in front of every handler. */
  before: () => void | Promise<void>
}

export interface TestServer extends Script {
  readonly server: HttpServer
  readonly url: string
  readonly telemetry: RecordingTelemetry
  /** With a good token, unless told otherwise. */
  send(path: string, init?: RequestInit): Promise<Response>
  /** Forgets what the last test scripted. */
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

export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const telemetry = recordingTelemetry()
  const script: Script = {
    asked: [],
    refusals: new Map(),
    created: [],
    closed: [],
    limits: [FULL],
    before: () => {},
  }
  const server = openServer({
    telemetry,
    ids: testIds(),
    headerVendor: 'Platform',
    apiVersion: '1',
    trustedProxies: [],
    appOrigins: [APP_ORIGIN],
    idempotency: memoryIdempotency(clock, testIds()),
    strictContract: true,
    ...options,
  })
  bindTestRoutes(server, script)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    ...script,
    get limits() {
      return script.limits
    },
    set limits(states) {
      script.limits = states
    },
    get before() {
      return script.before
    },
    set before(act) {
      script.before = act
    },
    server,
    url,
    telemetry,
    send: (path, init = {}) =>
      fetch(url + path, {
        ...init,
        headers: { authorization: 'Bearer good', ...Object.fromEntries(new Headers(init.headers)) },
      }),
    reset() {
      script.asked.length = 0
      script.refusals.clear()
      script.limits = [FULL]
      script.before = () => {}
    },
    close: () => server.close(1000),
  }
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

function bindTestRoutes(server: HttpServer, script: Script): void {
  const gates = testGates(script)
  const thing = (id: string) => ({
    id,
    name: 'thing',
    count: 1,
    note: null,
    values: { 'a:b': '<&>' },
    undeclared: 'leak',
  })
  const locate = ({ params }: { readonly params: { readonly id: string } }): { readonly id: string } => {
    script.asked.push('locate')
    if (params.id !== THING) throw refuse('services.not_found')
    return { id: params.id }
  }
  const run = async <T>(make: () => T): Promise<T> => {
    script.asked.push('handle')
    await script.before()
    return make()
  }
  bindRoute(server, gates, {
    operation: operations.readThing,
    locate,
    handle: ({ located }) => run(() => thing(located.id)),
  })
  bindRoute(server, gates, {
    operation: operations.listThings,
    handle: ({ query }) => run(() => ({ total: Number(query.limit ?? 1), items: [thing(THING)] })),
  })
  bindRoute(server, gates, {
    operation: operations.createThing,
    handle: ({ body }) =>
      run(() => {
        script.created.push(body.name)
        return { id: `${script.created.length}`, client_secret: 'planted-secret' }
      }),
  })
  bindRoute(server, gates, {
    operation: operations.changeThing,
    locate,
    handle: ({ located, body }) =>
      run(() => answer({ ...thing(located.id), name: body.name }, { headers: { etag: '"1"' } })),
  })
  bindRoute(server, gates, {
    operation: operations.cancelThing,
    locate,
    handle: ({ located }) => run(() => thing(located.id)),
  })
  bindRoute(server, gates, { operation: operations.deleteThing, locate, handle: () => run(() => undefined) })
  bindRoute(server, gates, {
    operation: operations.drainChanges,
    handle: () =>
      run(() => answer({ changes: ['a'] }, { onClosed: (delivered) => void script.closed.push(delivered) })),
  })
  bindRoute(server, gates, {
    operation: operations.readFile,
    handle: ({ params }) => run(() => Buffer.from(params.sourceKey)),
  })
  bindRoute(server, gates, { operation: operations.readOpen, handle: () => run(() => ({ status: 'ok' })) })
  bindRoute(server, gates, {
    operation: operations.readResult,
    handle: ({ body }) => run(() => ({ code: body.state })),
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
    checkHome: async () => pass('home'),
    checkAccess: () => pass('access'),
    takeFromLimits: () => {
      pass('limits')
      return script.limits
    },
    checkWrites: () => pass('writes'),
    checkLevel: () => pass('level'),
    nameOf: (caller) => caller.name,
  }
}
