import type { IncomingMessage } from 'node:http'
import { bindHandOver, type Gates, type HttpServer } from '@sealpost/http'
import { readJwks, readOpenIdConfiguration, readServerMetadata, requestToken, revokeToken } from '@sealpost/protocol'
import type Provider from 'oidc-provider'

/** The engine answers these itself; limits, request ids and the log line are the house's. */
export function bindOAuth<Caller>(
  server: HttpServer,
  gates: Gates<Caller>,
  provider: Provider,
  publicUrl: string,
): void {
  const answer = provider.callback()
  const address = new URL(publicUrl)
  for (const operation of [requestToken, revokeToken, readJwks, readServerMetadata, readOpenIdConfiguration]) {
    bindHandOver(server, gates, {
      operation,
      handOver(request, response) {
        addressAs(request, address, operation.path)
        void answer(request, response)
      },
    })
  }
}

/**
 * The engine builds the links of its discovery documents from what a request says it was sent to: Host, the forwarded
 * headers, or a whole address as request target. None of that is believed; a poisoned link would collect client secrets.
 */
function addressAs(request: IncomingMessage, { host, protocol }: URL, path: string): void {
  for (const name of Object.keys(request.headers)) {
    if (name === 'forwarded' || name.startsWith('x-forwarded-')) delete request.headers[name]
  }
  request.headers.host = host
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.url = path
  // Fastify's note of the request target as it came; the engine prefers it.
  Reflect.deleteProperty(request, 'originalUrl')
}
