import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { columnTypes } from './column-types.ts'
import {
  DatabaseUnavailableError,
  isConnectionLost,
  isFull,
  isPoolTimeout,
  NotPrimaryError,
  PoolExhaustedError,
} from './errors.ts'
import { locatePrimary, requirePrimary } from './find-primary.ts'
import { hostOf, splitHosts } from './hosts.ts'

export type Use = 'write' | 'read'

export interface PoolUse {
  readonly open: number
  readonly idle: number
  /** Callers waiting for a connection. */
  readonly waiting: number
}

export interface PrimaryPools {
  /** A connection to the server that accepts writes; finds the new one after a failover. */
  acquire(use: Use): Promise<PoolClient>
  /** Reports that this server may no longer be the primary: the next `acquire` queries all servers first. */
  distrust(client: PoolClient): void
  readonly hasSeveralHosts: boolean
  poolUse(): Readonly<Record<Use, PoolUse>>
  close(): Promise<void>
}

export interface PoolsOptions {
  readonly url: string
  readonly connectTimeoutMs: number
  readonly config: PoolConfig
  onIdleError(error: Error): void
  onPrimary(host: string): void
}

interface ServerPools extends Readonly<Record<Use, Pool>> {
  readonly url: string
  /** Callers waiting for a connection; the driver would not settle them when the pool is closed. */
  readonly inLine: Set<(reason: Error) => void>
  trusted: boolean
}

const RETRY_PAUSE_MS = 50

export function openPrimaryPools(options: PoolsOptions): PrimaryPools {
  const hasSeveralHosts = splitHosts(options.url).length > 1
  const retired: Promise<unknown>[] = []
  const serverOf = new WeakMap<PoolClient, ServerPools>()
  let current: ServerPools | null = null
  let search: Promise<ServerPools> | null = null

  const locate = async (): Promise<ServerPools> => {
    const url = await locatePrimary(options.url, options.connectTimeoutMs)
    if (current?.url === url) {
      current.trusted = true
      return current
    }
    if (current !== null) retired.push(endPools(current))
    current = openServerPools(url, hasSeveralHosts, options)
    options.onPrimary(hostOf(url))
    return current
  }
  const primary = (): Promise<ServerPools> => {
    if (current?.trusted === true) return Promise.resolve(current)
    search ??= locate().finally(() => {
      search = null
    })
    return search
  }

  return {
    hasSeveralHosts,
    async acquire(use) {
      const deadline = performance.now() + options.connectTimeoutMs
      for (;;) {
        let server: ServerPools | null = null
        try {
          server = await primary()
          const client = await connect(server, use)
          serverOf.set(client, server)
          return client
        } catch (error) {
          if (server !== null && !isPoolTimeout(error)) server.trusted = false
          refuseToRetry(error, deadline, options)
          await pause(RETRY_PAUSE_MS)
        }
      }
    },
    distrust(client) {
      const server = serverOf.get(client)
      if (server !== undefined) server.trusted = false
    },
    poolUse: () => ({ write: useOf(current?.write), read: useOf(current?.read) }),
    async close() {
      if (current !== null) retired.push(endPools(current))
      await Promise.all(retired)
    },
  }
}

/** Throws unless another attempt before the deadline may help. */
function refuseToRetry(error: unknown, deadline: number, { url, connectTimeoutMs }: PoolsOptions): void {
  if (isPoolTimeout(error))
    throw new PoolExhaustedError(
      `no connection became free within ${connectTimeoutMs} ms: look for a slow transaction, or raise the pool size`,
      { cause: error },
    )
  const mayPass =
    isConnectionLost(error) ||
    isFull(error) ||
    error instanceof NotPrimaryError ||
    error instanceof DatabaseUnavailableError
  if (mayPass && performance.now() < deadline) return
  // A server that refuses the login or has no such database, too: an operator must act, and nothing was done.
  if (!mayPass && !(error instanceof DatabaseError)) throw error
  const reason = error instanceof Error ? error.message : String(error)
  const waited = mayPass ? ` within ${connectTimeoutMs} ms` : ''
  throw new DatabaseUnavailableError(`no database that takes writes at ${hostOf(url)}${waited}: ${reason}`, {
    cause: error,
  })
}

function openServerPools(url: string, isOneOfSeveral: boolean, options: PoolsOptions): ServerPools {
  const open = (use: Use): Pool => {
    const pool = new Pool({
      ...options.config,
      connectionString: url,
      connectionTimeoutMillis: options.connectTimeoutMs,
      keepAlive: true,
      types: columnTypes,
      async onConnect(client) {
        if (isOneOfSeveral) await requirePrimary(client)
        if (use === 'read') await client.query('set session characteristics as transaction read only')
      },
    })
    pool.on('error', (error) => options.onIdleError(error))
    // A connection that breaks while in use fails its query; without a listener its error event would end the process.
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  return { url, inLine: new Set(), trusted: true, write: open('write'), read: open('read') }
}

/** A connection, unless the pool moves to another server while the caller waits. */
function connect(server: ServerPools, use: Use): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    server.inLine.add(reject)
    server[use]
      .connect()
      .then((client) => (server.inLine.has(reject) ? resolve(client) : client.release()), reject)
      .finally(() => server.inLine.delete(reject))
  })
}

function endPools({ write, read, inLine }: ServerPools): Promise<unknown> {
  for (const turnAway of inLine) turnAway(new NotPrimaryError('the server was left for another one'))
  inLine.clear()
  return Promise.allSettled([write.end(), read.end()])
}

function useOf(pool: Pool | undefined): PoolUse {
  return { open: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 }
}
