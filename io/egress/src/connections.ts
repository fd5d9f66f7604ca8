import type { Socket } from 'node:net'
import { Client } from 'undici'
import { isSameAddress, type Address } from './address.ts'

/** One socket to one checked address, used by one request at a time. */
export interface Connection {
  readonly origin: string
  readonly address: Address
  readonly client: Client
  readonly socket: Socket
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

/** Sockets waiting for a next request. Busy ones are not counted: every request has its own and none is queued. */
export interface IdleConnections {
  /**
   * An idle socket to one of the addresses just checked: a socket of an old address is not used after the name moved.
   */
  take(origin: string, checked: readonly Address[]): Connection | null
  keep(connection: Connection): void
  close(): void
}

export const LOST_BEFORE_USE = 'EGRESS_LOST_BEFORE_USE'

export function openIdleConnections(limits: IdleLimits): IdleConnections {
  // The most recently used one is last and is taken first: the others are the ones that may expire.
  const byOrigin = new Map<string, Connection[]>()
  let total = 0

  function forget(connection: Connection): void {
    const siblings = byOrigin.get(connection.origin) ?? []
    const place = siblings.lastIndexOf(connection)
    if (place === -1) return
    siblings.splice(place, 1)
    total -= 1
    if (siblings.length === 0) byOrigin.delete(connection.origin)
  }

  function makeRoom(siblings: readonly Connection[]): void {
    const crowd = siblings.length >= limits.perOrigin ? siblings : total >= limits.total ? oldestOrigin() : []
    const [longestIdle] = crowd
    if (longestIdle === undefined) return
    forget(longestIdle)
    destroyConnection(longestIdle)
  }

  function oldestOrigin(): readonly Connection[] {
    return byOrigin.values().next().value ?? []
  }

  return {
    take(origin, checked) {
      const idle = byOrigin.get(origin)
      const found = idle?.findLast(({ address }) => checked.some((allowed) => isSameAddress(allowed, address)))
      if (found === undefined) return null
      forget(found)
      return found
    },
    keep(connection) {
      if (!connection.isOpen) return
      if (limits.perOrigin === 0) return destroyConnection(connection)
      if (!connection.wasUsed) connection.client.once('disconnect', () => forget(connection))
      connection.wasUsed = true
      makeRoom(byOrigin.get(connection.origin) ?? [])
      const siblings = byOrigin.get(connection.origin) ?? []
      siblings.push(connection)
      byOrigin.set(connection.origin, siblings)
      total += 1
    },
    close() {
      for (const connection of [...byOrigin.values()].flatMap((siblings) => [...siblings])) {
        forget(connection)
        destroyConnection(connection)
      }
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
  const connection = { origin, address, client, socket, wasUsed: false, isOpen: true }
  client.once('disconnect', () => {
    connection.isOpen = false
  })
  return connection
}

/** The socket is destroyed explicitly: a client that never used it would leave it open. */
export function destroyConnection({ client, socket }: Connection): void {
  void client.destroy()
  socket.destroy()
}

/** The client gets the dialled socket and never a second one: a new connection requires a new check. */
function handOver(socket: Socket) {
  let isGiven = false
  return (_options: unknown, done: (...outcome: [null, Socket] | [Error, null]) => void): void => {
    const isSpent = isGiven || socket.destroyed
    isGiven = true
    queueMicrotask(() =>
      isSpent
        ? done(Object.assign(new Error('the socket is closed'), { code: LOST_BEFORE_USE }), null)
        : done(null, socket),
    )
  }
}
