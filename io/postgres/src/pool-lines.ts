import { openSharedPlaces, type SharedPlaces } from '@sealpost/kernel'
import { takeInTime } from '@sealpost/process'
import { PoolExhaustedError } from './errors.ts'
import type { PoolUse, Use } from './primary-pools.ts'
import { workOwner } from './work-owner.ts'

export const POOL_SIZE = 10
export const CONNECT_TIMEOUT_MS = 5000

interface LineOptions {
  readonly poolSize?: number
  readonly reserve?: number
  readonly connectTimeoutMs?: number
}

/** The connections of each pool that ordinary work may use at once. */
export interface PoolLines {
  readonly places: Readonly<Record<Use, SharedPlaces>>
  /** Waits for one of them; call the result when it is free again. */
  enter(use: Use): Promise<() => void>
}

/**
 * Calls of one tenant may all wait for the same row, and hold their connections meanwhile. Each owner of calls has a share,
 * and logins and checks of tokens find some connections that no ordinary work uses. Null when nothing is reserved.
 */
export function openPoolLines(options: LineOptions): PoolLines | null {
  const { poolSize = POOL_SIZE, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options
  const reserve = Math.min(options.reserve ?? 0, Math.floor(poolSize / 4))
  if (reserve === 0) return null
  const places = { write: openSharedPlaces(poolSize - reserve), read: openSharedPlaces(poolSize - reserve) }
  return {
    places,
    enter: (use) => takeInTime(places[use].of(workOwner()), connectTimeoutMs, () => exhausted(connectTimeoutMs)),
  }
}

/** The callers that wait here are callers that wait for a connection. */
export function withLines(
  use: Readonly<Record<Use, PoolUse>>,
  lines: PoolLines | null,
): Readonly<Record<Use, PoolUse>> {
  if (lines === null) return use
  const { write, read } = lines.places
  return {
    write: { ...use.write, waiting: use.write.waiting + write.waiting },
    read: { ...use.read, waiting: use.read.waiting + read.waiting },
  }
}

function exhausted(waitMs: number): PoolExhaustedError {
  return new PoolExhaustedError(
    `no connection for ordinary calls became free within ${waitMs} ms: look for a slow transaction, or raise the pool size`,
  )
}
