import type { Socket } from 'node:net'
import { Client } from 'undici'
import { isSameAddress, type Address } from './address.ts'

/** One socket to one judged address, used by one request at a time. */
export interface Connection {
  readonly origin: string
  readonly address: Address
  readonly client: Client
  /** It has carried a request before, so the other side may be about to close it. */
  wasUsed: boolean
  isOpen: boolean
}

export interface IdleLimits {
  readonly perOrigin: number
  readonly total: number
  /** How long an unused socket is kept. */
  readonly keepMs: number
}

/** Sockets waiting for a next request. Busy ones are not counted: every request has its own and none waits in line. */
export interface IdleConnections {
  /** An idle socket to one of the addresses just judged: an old name's socket is not used after the name moved. */
  take(origin: string, judged: readonly Address[]): Connection | null
  keep(connection: Connection): void
  close(): Promise<void>
}

export const LOST_BEFORE_USE = 'EGRESS_LOST_BEFORE_USE'

export function openIdleConnections(limits: IdleLimits): IdleConnections {
  const idle = new Set<Connection>()
  const drop = (connection: Connection): void => {
    idle.delete(connection)
    void connection.client.destroy()
  }
  return {
    take(origin, judged) {
      for (const connection of idle) {
        if (connection.origin !== origin || !judged.some((address) => isSameAddress(address, connection.address))) continue
        idle.delete(connection)
        return connection
      }
      return null
    },
    keep(connection) {
      if (!connection.isOpen) return
      connection.wasUsed = true
      const siblings = [...idle].filter(({ origin }) => origin === connection.origin)
      const [oldest] = siblings.length >= limits.perOrigin ? siblings : idle.size >= limits.total ? idle : []
      if (oldest !== undefined) drop(oldest)
      idle.add(connection)
      connection.client.once('disconnect', () => idle.delete(connection))
    },
    async close() {
      await Promise.all([...idle].map(({ client }) => client.destroy()))
      idle.clear()
    },
  }
}

export function startConnection(origin: string, address: Address, socket: Socket, keepMs: number): Connection {
  const client = new Client(origin, {
    connect: handOver(socket),
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepMs,
    keepAliveMaxTimeout: keepMs,
  })
  const connection = { origin, address, client, wasUsed: false, isOpen: true }
  client.once('disconnect', () => {
    connection.isOpen = false
  })
  return connection
}

/** The client gets the socket that was dialled and never a second one: a new connection needs a new judgement. */
function handOver(socket: Socket) {
  let isGiven = false
  return (_options: unknown, done: (...outcome: [null, Socket] | [Error, null]) => void): void => {
    const isSpent = isGiven || socket.destroyed
    isGiven = true
    queueMicrotask(() =>
      isSpent ? done(Object.assign(new Error('the socket is gone'), { code: LOST_BEFORE_USE }), null) : done(null, socket),
    )
  }
}
