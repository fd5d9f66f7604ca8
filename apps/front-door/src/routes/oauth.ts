import type { AccessClaims } from '@sealpost/access-token'
import { bindHandOver, type Gates, type HttpServer } from '@sealpost/http'
import { readJwks, readOpenIdConfiguration, readServerMetadata, requestToken } from '@sealpost/protocol'
import type Provider from 'oidc-provider'

/** The engine answers these itself; limits, request ids and the log line are the house's. */
export function bindOAuth(server: HttpServer, gates: Gates<AccessClaims>, provider: Provider): void {
  const answer = provider.callback()
  for (const operation of [requestToken, readJwks, readServerMetadata, readOpenIdConfiguration]) {
    bindHandOver(server, gates, { operation, handOver: (request, response) => void answer(request, response) })
  }
}
