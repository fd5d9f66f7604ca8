// oxlint-disable-next-line sealpost/egress -- goes to the user's own machine only, which io/egress would refuse
import { type ClientRequest, request as requestHttp } from 'node:http'
// oxlint-disable-next-line sealpost/egress -- as for node:http above: the user's own machine only
import { request as requestHttps } from 'node:https'
import type { Signed } from './signing.ts'

/** The outcome of one POST. */
export type PostOutcome =
  | { readonly kind: 'answered'; readonly httpStatus: number }
  /** Accepted, but not answered within the platform's time limit. */
  | { readonly kind: 'silent' }
  /** The connection was refused or broken. */
  | { readonly kind: 'down'; readonly reason: string }

/** The same limit as for a webhook. */
export const LIMIT_SECONDS = 10

/** Opens a new connection each time: a kept one may belong to a server that has restarted. */
export async function post(target: URL, { headers, body }: Signed, interruption: AbortSignal): Promise<PostOutcome> {
  const limit = AbortSignal.timeout(LIMIT_SECONDS * 1000)
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  try {
    const signal = AbortSignal.any([limit, interruption])
    const call = send(target, { method: 'POST', headers, agent: false, signal })
    call.end(body)
    return { kind: 'answered', httpStatus: await statusOf(call) }
  } catch (error) {
    interruption.throwIfAborted()
    if (limit.aborted) return { kind: 'silent' }
    return { kind: 'down', reason: reasonOf(error) }
  }
}

/** Resolves when the whole answer has arrived; its body is discarded. */
function statusOf(call: ClientRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  call.once('error', reject)
  call.once('response', (response) => {
    response.once('error', reject)
    response.once('end', () => resolve(response.statusCode ?? 0))
    response.resume()
  })
  return promise
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
