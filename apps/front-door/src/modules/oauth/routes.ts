import type { IncomingMessage } from 'node:http'
import { bindHandOver, type Gates, type HttpServer } from '@sealpost/http'
import { readJwks, readOpenIdConfiguration, readServerMetadata, requestToken, revokeToken } from '@sealpost/protocol'
import type Provider from 'oidc-provider'
import { noteRefusalsBy } from './engine/refused-client.ts'

/** The engine answers these; limits, request ids and the log line are ours. */
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
      handOver(request, response, note) {
        addressAs(request, address, operation.path)
        noteRefusalsBy(request, note)
        void answer(request, response)
      },
    })
  }
}

/**
 * The engine builds the links of its discovery documents from Host, the forwarded headers and an absolute request target.
 * All of them are overwritten with the public address: a forged link would collect client secrets.
 */
function addressAs(request: IncomingMessage, { host, protocol }: URL, path: string): void {
  for (const name of Object.keys(request.headers)) {
    if (name === 'forwarded' || name.startsWith('x-forwarded-')) delete request.headers[name]
  }
  request.headers.host = host
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.url = path
  // Fastify's copy of the original request target, which the engine prefers.
  Reflect.deleteProperty(request, 'originalUrl')
}
