import { Secret } from '@sealpost/kernel'
import { parseAddress } from '../address.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import { exchange, isRecord } from '../exchange.ts'
import type { Wire } from '../wire.ts'

export interface ForwarderPass {
  readonly pass: string
  readonly forwarder_url: string
}

/** A plain request: the pass is in the body, and no credential of the platform in the headers. */
export async function postToForwarder(
  wire: Wire,
  { pass, forwarder_url: url }: ForwarderPass,
  path: '/call' | '/registry',
  members: Readonly<Record<string, string>>,
  answered: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const address = parseAddress(url)
  if (!address.ok) throw new TypeError(`forwarder_url ${address.refusal}: the platform is configured wrongly`)
  const { body, status, requestId } = await exchange(wire, {
    method: 'POST',
    url: `${address.value}${path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pass, ...members }),
    secrets: [new Secret(pass)],
    signal,
  })
  if (isRecord(body) && body[answered] !== undefined) return body[answered]
  const message = `POST ${address.value}${path} was answered without ${answered}`
  throw new UnexpectedAnswerError(message, { status, requestId, retryAfterSeconds: undefined })
}
