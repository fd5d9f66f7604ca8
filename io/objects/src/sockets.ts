import { openPlaces } from '@sealpost/kernel'
import { takeInTime } from '@sealpost/process'
import { ObjectStorageError } from './storage-error.ts'

export interface SocketLimits {
  /** Connections to the server; a quarter of them is never used for downloads. */
  readonly sockets: number
  /** How long a call waits for a connection before it fails. */
  readonly waitMs: number
}

export const SOCKET_LIMITS: SocketLimits = { sockets: 64, waitMs: 5_000 }

/** All connections stayed in use. Nothing was done; the call may be repeated. */
export class StorageBusyError extends ObjectStorageError {
  constructor(operation: string) {
    // As a busy server would answer.
    super(operation, Object.assign(new Error(), { code: 'NoFreeConnection', $metadata: { httpStatusCode: 503 } }))
  }
}

/** A part of the connections. */
export interface Line {
  /** Waits for one of them; call the result once, when it is free again. */
  take(operation: string): Promise<() => void>
}

/**
 * [Note: lines for sockets] A download holds its connection for as long as its reader takes, so downloads have a line of
 * their own and uploads never wait for them. Calls wait here and not for a socket of the agent: there the driver
 * mistakes the wait for a server that does not accept connections.
 */
export function openLines({ sockets, waitMs }: SocketLimits): { readonly downloads: Line; readonly others: Line } {
  const others = Math.max(1, Math.floor(sockets / 4))
  return { downloads: openLine(Math.max(1, sockets - others), waitMs), others: openLine(others, waitMs) }
}

function openLine(size: number, waitMs: number): Line {
  const places = openPlaces(size)
  return { take: (operation) => takeInTime(places, waitMs, () => new StorageBusyError(operation)) }
}
