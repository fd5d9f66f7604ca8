import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Telemetry } from '@sealpost/telemetry'

/** A dependency that must work before traffic is sent here. Resolves when it works, rejects with the reason. */
export interface ReadinessCheck {
  readonly name: string
  readonly run: () => Promise<void>
}

/** An engine that is away and without which the process still serves. */
export interface DegradedEngine {
  readonly engine: string
  readonly since: string
  readonly reason: string
}

interface ProcessState {
  readonly checks: readonly ReadinessCheck[]
  readonly degraded: () => readonly DegradedEngine[]
}

export interface InternalServer {
  /** Loopback by default: these endpoints are not for external callers. */
  listen(address: { readonly host?: string; readonly port: number }): Promise<string>
  /**
   * From now on `/internal/ready` answers 503, so that a balancer routes elsewhere before the process stops listening.
   */
  drain(): void
  close(): Promise<void>
}

interface InternalAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const CHECK_TIMEOUT_MS = 2000

/**
 * `/internal/live`, `/internal/ready` and `/internal/metrics` on a port of their own: they name engines and their
 * failures, and must answer while the public listener is overloaded.
 */
export function openInternalServer(
  telemetry: Telemetry,
  checks: readonly ReadinessCheck[],
  degraded: () => readonly DegradedEngine[] = () => [],
): InternalServer {
  let isDraining = false
  const http = createServer((request, response) => {
    const state = { checks: isDraining ? [...checks, draining] : checks, degraded }
    void answerSafely(request, telemetry, state).then((given) => send(response, given))
  })
  return {
    listen: ({ host = '127.0.0.1', port }) =>
      new Promise((resolve, reject) => {
        http.once('error', reject)
        http.listen({ host, port }, () => resolve(baseAddress(http.address())))
      }),
    drain() {
      isDraining = true
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}

const draining: ReadinessCheck = {
  name: 'accepting',
  run: () => Promise.reject(new Error('the process is shutting down')),
}

async function answerSafely(
  request: IncomingMessage,
  telemetry: Telemetry,
  state: ProcessState,
): Promise<InternalAnswer> {
  try {
    return await answer(request, telemetry, state)
  } catch (error) {
    telemetry.log.error({ err: error }, 'an internal request failed')
    return plain(500, 'failed; see the log')
  }
}

async function answer(request: IncomingMessage, telemetry: Telemetry, state: ProcessState): Promise<InternalAnswer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET is supported here')
  if (request.url === '/internal/live') return json(200, { status: 'ok' })
  if (request.url === '/internal/ready') return readiness(state)
  if (request.url === '/internal/metrics') return metrics(await telemetry.prometheus())
  return plain(404, 'available paths: /internal/live, /internal/ready and /internal/metrics')
}

/** 503 only when a call cannot be served here: a balancer finds no better process while an engine of all is away. */
async function readiness({ checks, degraded }: ProcessState): Promise<InternalAnswer> {
  const outcomes = await Promise.all(checks.map(runCheck))
  const isReady = outcomes.every((outcome) => outcome.ok)
  return json(isReady ? 200 : 503, {
    status: isReady ? 'ready' : 'not_ready',
    checks: outcomes,
    degraded: degraded(),
  })
}

interface CheckOutcome {
  readonly name: string
  readonly ok: boolean
  readonly reason?: string
}

async function runCheck({ name, run }: ReadinessCheck): Promise<CheckOutcome> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([run(), timeout])
    return { name, ok: true }
  } catch (error) {
    return { name, ok: false, reason: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}

function metrics(body: string): InternalAnswer {
  return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body }
}

function json(status: number, body: unknown): InternalAnswer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

function plain(status: number, sentence: string): InternalAnswer {
  return { status, type: 'text/plain; charset=utf-8', body: `${sentence}\n` }
}

function send(response: ServerResponse, { status, type, body }: InternalAnswer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}

function baseAddress(address: unknown): string {
  if (typeof address !== 'object' || address === null || !('address' in address) || !('port' in address)) return ''
  const host = String(address.address)
  return `http://${host.includes(':') ? `[${host}]` : host}:${String(address.port)}`
}
