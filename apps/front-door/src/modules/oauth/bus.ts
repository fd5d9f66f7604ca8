import type { Bus } from '@sealpost/bus'
import { relayTokenAsk, requestToken } from '@sealpost/protocol'
import inject from 'light-my-request'
import type Provider from 'oidc-provider'

/**
 * Answers token requests that were sent to a region. The same engine handles them as one more request, so both addresses
 * give the same answers. The region has already applied the limits by source address.
 */
export function answerTokenRelay(bus: Bus, provider: Provider, publicUrl: string): void {
  const answer = provider.callback()
  const { host, protocol } = new URL(publicUrl)
  const fixed = {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'content-type': 'application/x-www-form-urlencoded',
  }
  bus.onRead(relayTokenAsk, async ({ body: { form, authorization } }) => {
    const { statusCode, headers, payload } = await inject((request, response) => void answer(request, response), {
      method: requestToken.method,
      url: requestToken.path,
      headers: { ...fixed, ...(authorization === null ? {} : { authorization }) },
      payload: new URLSearchParams(form).toString(),
    })
    const wait = Number(headers['retry-after'])
    return { status: statusCode, body: parseBody(payload), retry_after_seconds: Number.isInteger(wait) ? wait : null }
  })
}

function parseBody(payload: string): Record<string, unknown> {
  const body: unknown = JSON.parse(payload)
  if (typeof body === 'object' && body !== null) return { ...body }
  throw new Error('the OAuth engine answered a body that is not an object')
}
