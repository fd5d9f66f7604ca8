import { AuthorizationError, connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '@sealpost/telemetry'
import type { NatsServer, Party } from '../parties.ts'
import { connectionOptions } from './connection-options.ts'

/** A reconnecting connection to one NATS server. */
export interface NatsLine {
  readonly connection: Promise<NatsConnection>
  readonly log: Log
  /** The NATS is the party's own: it makes the streams there. */
  readonly isHome: boolean
  /** The same connection, for calls that do not wait for it. */
  live: NatsConnection | null
  /** False also while the server is not trusted. */
  isConnected: boolean
  /** False when it has come back without asking for the login that we have: its messages may be anyone's. */
  isTrusted: boolean
  isClosed: boolean
  /** How often the connection was lost: a request may be answered only on the connection that brought it. */
  losses: number
  /** Links whose queue is known to exist; cleared when a send fails or the connection was lost. */
  readonly queues: Map<string, Promise<void>>
  readonly onReconnect: (() => void)[]
  /** Requests that wait for an answer, which a lost connection will not bring. */
  readonly waiting: Set<() => void>
}

export interface LineOptions {
  readonly server: NatsServer
  readonly self: Party
  /** The region that the NATS belongs to. */
  readonly region: Party
  readonly log: Log
}

export const RETRY_MS = 250

/** Connects in the background and never gives up; an unreachable server is a state, not an error. */
export function openLine({ server, self, region, log }: LineOptions): NatsLine {
  const opened = Promise.withResolvers<NatsConnection>()
  const line: NatsLine = {
    connection: opened.promise,
    log: log.child({ 'region.nats': region }),
    isHome: self === region,
    live: null,
    isConnected: false,
    isTrusted: true,
    isClosed: false,
    losses: 0,
    queues: new Map(),
    onReconnect: [],
    waiting: new Set(),
  }
  const mustAskForLogin = server.key !== undefined
  const options = connectionOptions(server, self, RETRY_MS)
  void keepConnecting(line, options, mustAskForLogin).then((connection) => {
    if (connection !== null) opened.resolve(connection)
  })
  void watchConnection(line, mustAskForLogin)
  return line
}

export async function closeLine(line: NatsLine): Promise<void> {
  line.isClosed = true
  await line.live?.close()
}

/** Not the library's own waiting for the first connection: that cannot be stopped, and would keep a process alive. */
async function keepConnecting(
  line: NatsLine,
  options: ConnectionOptions,
  mustAskForLogin: boolean,
): Promise<NatsConnection | null> {
  while (!line.isClosed) {
    const connection = await connect(options).catch((error: unknown) => {
      line.log.warn({ servers: options.servers, error: String(error) }, whyNotConnected(error))
      return null
    })
    if (connection !== null && !line.isClosed && isTrusted(line, connection, mustAskForLogin)) return connection
    await connection?.close()
    if (!line.isClosed) await pause(RETRY_MS)
  }
  return null
}

async function watchConnection(line: NatsLine, mustAskForLogin: boolean): Promise<void> {
  const connection = await line.connection
  line.live = connection
  line.isConnected = true
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      line.isConnected = false
      line.losses += 1
      for (const giveUp of line.waiting) giveUp()
      line.log.warn({ server: status.server }, 'NATS is unreachable; reconnecting')
    }
    if (status.type === 'reconnect') line.isTrusted = isTrusted(line, connection, mustAskForLogin)
    if (status.type === 'reconnect' && line.isTrusted) {
      line.isConnected = true
      line.queues.clear()
      line.log.info({ server: status.server }, 'NATS is back')
      for (const act of line.onReconnect) act()
    }
    if (status.type === 'error') line.log.error({ error: String(status.error) }, whyRefused(status.error))
  }
  line.isConnected = false
}

/** A server that lets everyone in would let everyone speak in our name: nothing is exchanged through it. */
function isTrusted(line: NatsLine, { info }: NatsConnection, mustAskForLogin: boolean): boolean {
  if (!mustAskForLogin || info?.auth_required === true) return true
  line.log.error(
    { server: info?.server_name },
    'this NATS requires no login and is not used: start it with the configuration of `bus:credentials` (docs/runbooks/bus-credentials.md)',
  )
  return false
}

function whyNotConnected(error: unknown): string {
  return error instanceof AuthorizationError
    ? 'NATS refuses our login; trying again: does its configuration have the key of this party? (docs/runbooks/bus-credentials.md)'
    : 'NATS cannot be reached; trying again'
}

function whyRefused(error: Error): string {
  return error instanceof AuthorizationError
    ? whyNotConnected(error)
    : 'NATS reports an error: after a permission violation, install the configuration that `bus:credentials` of this release makes'
}

export async function connectedWithin(line: NatsLine, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!line.isConnected && performance.now() < end) await pause(Math.min(20, withinMs))
  return line.isConnected
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
