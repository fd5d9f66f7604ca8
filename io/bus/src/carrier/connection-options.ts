import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import type { ConnectionOptions } from '@nats-io/transport-node'
import { loginWith } from '../credentials/keys.ts'
import type { NatsServer, Party } from '../parties.ts'
import { inboxPrefix } from '../subjects.ts'

const PING_MS = 2_000
/** Also the time in which a server that has accepted the connection must greet. */
const DIAL_MS = 5_000

export function connectionOptions(server: NatsServer, self: Party, retryMs: number): ConnectionOptions {
  const { key } = server
  const tls = tlsOptions(server)
  return {
    servers: [...server.servers],
    name: `sealpost ${self}`,
    inboxPrefix: inboxPrefix(self),
    ...(key === undefined ? {} : { authenticator: loginWith(key) }),
    ...(tls === null ? {} : { tls }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    reconnectJitter: retryMs,
    reconnectJitterTLS: retryMs,
    // A server that is frozen is noticed within three of these; until then asks wait for their time limit.
    pingInterval: PING_MS,
    maxPingOut: 2,
    timeout: DIAL_MS,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  }
}

/**
 * The scheme alone does nothing: the client library uses TLS when the server offers it. With these options it refuses a
 * server that does not.
 */
function tlsOptions({ servers, ca }: NatsServer): NonNullable<ConnectionOptions['tls']> | null {
  if (!servers.some((url) => url.startsWith('tls://'))) return null
  const hosts = servers.map((url) => new URL(url).hostname.replaceAll(/^\[|\]$/g, ''))
  const options = {
    ...(ca === undefined ? {} : { ca }),
    // The library names no host when the address is an IP address, and Node would look for `localhost`.
    checkServerIdentity: (host: string, certificate: PeerCertificate) =>
      hosts.some((one) => checkServerIdentity(one, certificate) === undefined)
        ? undefined
        : checkServerIdentity(hosts[0] ?? host, certificate),
  }
  return options
}
