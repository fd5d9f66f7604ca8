import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '@sealpost/telemetry'
import type { NatsServer } from '../parties.ts'

/** A reconnecting connection to one NATS server. */
export interface NatsLine {
  readonly connection: Promise<NatsConnection>
  readonly log: Log
  /** The same connection, for calls that do not wait for it. */
  live: NatsConnection | null
  isConnected: boolean
  isClosed: boolean
  /** Links whose stream is known to exist; cleared when a send fails. */
  readonly streams: Map<string, Promise<void>>
  readonly onReconnect: (() => void)[]
  /** Requests that wait for an answer, which a lost connection will not bring. */
  readonly waiting: Set<() => void>
}

export const RETRY_MS = 250

/** Connects in the background and never gives up; an unreachable server is a state, not an error. */
export function openLine(server: NatsServer, name: string, log: Log): NatsLine {
  const opened = Promise.withResolvers<NatsConnection>()
  const line: NatsLine = {
    connection: opened.promise,
    log,
    live: null,
    isConnected: false,
    isClosed: false,
    streams: new Map(),
    onReconnect: [],
    waiting: new Set(),
  }
  void keepConnecting(line, connectionOptions(server, name), opened.resolve)
  void watchConnection(line)
  return line
}

export async function closeLine(line: NatsLine): Promise<void> {
  line.isClosed = true
  await line.live?.close()
}

function connectionOptions(server: NatsServer, name: string): ConnectionOptions {
  return {
    servers: [...server.servers],
    name,
    ...(server.user === undefined ? {} : { user: server.user }),
    ...(server.password === undefined ? {} : { pass: server.password.reveal() }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: RETRY_MS,
    pingInterval: 5000,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  }
}

/** Not the library's own waiting for the first connection: that cannot be stopped, and would keep a process alive. */
async function keepConnecting(
  line: NatsLine,
  options: ConnectionOptions,
  onOpen: (connection: NatsConnection) => void,
): Promise<void> {
  while (!line.isClosed) {
    const connection = await connect(options).catch((error: unknown) => {
      line.log.warn({ servers: options.servers, error: String(error) }, 'NATS cannot be reached; trying again')
      return null
    })
    if (connection === null) await pause(RETRY_MS)
    else if (line.isClosed) await connection.close()
    else return onOpen(connection)
  }
}

async function watchConnection(line: NatsLine): Promise<void> {
  const connection = await line.connection
  line.live = connection
  line.isConnected = true
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      line.isConnected = false
      for (const giveUp of line.waiting) giveUp()
      line.log.warn({ server: status.server }, 'NATS is unreachable; reconnecting')
    }
    if (status.type === 'reconnect') {
      line.isConnected = true
      line.log.info({ server: status.server }, 'NATS is back')
      for (const act of line.onReconnect) act()
    }
  }
  line.isConnected = false
}

export async function connectedWithin(line: NatsLine, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!line.isConnected && performance.now() < end) await pause(Math.min(20, withinMs))
  return line.isConnected
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
