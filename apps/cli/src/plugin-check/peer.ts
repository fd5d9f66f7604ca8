import { describeFailure, type Egress, type EgressFailure } from '@sealpost/egress'
import { PLUGIN_LIMITS as LIMITS } from '@sealpost/plugin'
import type { Report } from './report.ts'

/** An answer of the plugin; a failure has no status. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string; readonly totalMs: number }
  | { readonly kind: 'failed'; readonly failure: EgressFailure; readonly message: string }

/** The plugin as the forwarder reaches it: no redirects, bounded times and sizes. */
export interface Peer {
  get(path: '/manifest', token?: string | null): Promise<Answer>
  /** `request` is the sealed question, or the whole body when it is no object. */
  call(request: string, token?: string | null): Promise<Answer>
  post(body: string): Promise<Answer>
}

export interface PeerOptions {
  readonly baseUrl: string
  readonly token: string | null
  readonly signal: AbortSignal
}

export function openPeer(egress: Egress, report: Report, { baseUrl, token: ownToken, signal }: PeerOptions): Peer {
  async function send(method: 'GET' | 'POST', path: string, token: string | null, body?: string): Promise<Answer> {
    const isCall = method === 'POST'
    const sent = await egress.send({
      method,
      url: `${baseUrl}${path}`,
      headers: {
        accept: 'application/json',
        ...(isCall ? { 'content-type': 'application/json' } : {}),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body }),
      connectTimeoutMs: LIMITS.callMs,
      totalTimeoutMs: LIMITS.callMs,
      maxResponseBytes: isCall ? LIMITS.sealedBytes + 1024 : LIMITS.manifestBytes,
      isRepeatable: true,
      signal,
    })
    signal.throwIfAborted()
    if (!sent.ok) return { kind: 'failed', failure: sent.refusal, message: describeFailure(sent.refusal) }
    const { status, headers, body: bytes, timings } = sent.value
    noteRedirect(report, `${method} ${path}`, status, headers['location'])
    return { kind: 'answered', status, text: Buffer.from(bytes).toString(), totalMs: Math.round(timings.totalMs) }
  }
  return {
    get: (path, token = ownToken) => send('GET', path, token),
    call: (request, token = ownToken) => send('POST', '/call', token, JSON.stringify({ request })),
    post: (body) => send('POST', '/call', ownToken, body),
  }
}

function noteRedirect(report: Report, what: string, status: number, location = 'another address'): void {
  report.begin('call.redirect')
  if (status < 300 || status >= 400) return
  report.fail(
    'call.redirect',
    `${what} was answered ${status}, a redirect to ${location.slice(0, 200)}`,
    'The forwarder follows no redirects: register the address that the redirect leads to, or answer directly.',
  )
}

/** The status for a sentence. */
export function wordsOf(answer: Answer): string {
  return answer.kind === 'failed' ? `not answered: ${answer.message}` : `answered ${answer.status}`
}

/** A refusal of the request itself: the plugin works, and the sender has to change something. */
export function isRefusal(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status >= 400 && answer.status < 500
}
