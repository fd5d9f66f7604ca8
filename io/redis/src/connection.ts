import { createHash } from 'node:crypto'
import { announceSlowCall } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import { Redis } from 'ioredis'

export interface RedisOptions {
  /** `redis://` or, with TLS, `rediss://`. */
  readonly url: string
  /** The prefix of every key, so that several installations can share a server. */
  readonly keyPrefix?: string
  /** How long a caller waits at most, whatever happens to the server. */
  readonly commandTimeoutMs?: number
  readonly telemetry: Telemetry
}

/**
 * A connection that is renewed in the background without end. While it is down every call fails at once instead of
 * waiting, so that a request can continue without Redis.
 */
export interface RedisConnection {
  readonly keyPrefix: string
  isReady(): boolean
  /** A Lua script by its text; keys are given without the prefix. */
  script(lua: string): RunScript
  /** Replaces the current socket: for a server that accepts commands and answers none. */
  reconnect(): void
  close(): Promise<void>
}

export type RunScript = (keys: readonly string[], args: readonly string[]) => Promise<unknown>

export const DEFAULT_COMMAND_TIMEOUT_MS = 250
const CONNECT_TIMEOUT_MS = 2_000
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 2_000

/** Resolves when the first attempt to connect has succeeded or failed; only an unusable address throws. */
export async function openRedis(options: RedisOptions): Promise<RedisConnection> {
  const client = new Redis(checkedUrl(options.url), {
    commandTimeout: options.commandTimeoutMs ?? DEFAULT_COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    // A command whose connection broke fails now; repeating it could take a second token for one request.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempt, 10), LAST_RETRY_MS),
    // After a failover the old address may be a replica for a while.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  watch(client, options.telemetry)
  const keyPrefix = options.keyPrefix ?? 'sealpost:'
  await Promise.race([emitted(client, 'ready'), emitted(client, 'close')])
  return {
    keyPrefix,
    isReady: () => client.status === 'ready',
    script: (lua) => scriptRunner(client, keyPrefix, lua),
    reconnect: () => client.disconnect(true),
    close: () => closeClient(client),
  }
}

function checkedUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : ''
  if (protocol === 'redis:' || protocol === 'rediss:') return url
  throw new Error('the address of Redis cannot be used: write redis://host:6379/0, or rediss:// for TLS')
}

/** The client reports every failed attempt; the log and the metrics only report changes. */
function watch(client: Redis, telemetry: Telemetry): void {
  const { log } = telemetry
  let isUp = true
  telemetry.gauge('redis_up', '1 while the connection to Redis is ready', () => (client.status === 'ready' ? 1 : 0))
  client.on('ready', () => {
    if (!isUp) log.info({}, 'Redis is reachable again')
    isUp = true
  })
  client.on('error', (err: Error) => {
    if (isUp) log.warn({ err }, 'Redis is unreachable; retrying until it answers')
    isUp = false
  })
}

function scriptRunner(client: Redis, keyPrefix: string, lua: string): RunScript {
  const sha = createHash('sha1').update(lua).digest('hex')
  return async (keys, args) => {
    announceSlowCall('Redis')
    const prefixed = keys.map((key) => keyPrefix + key)
    try {
      return await client.evalsha(sha, prefixed.length, ...prefixed, ...args)
    } catch (error) {
      // The server was restarted or its scripts were flushed: sending the text loads it again.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return client.eval(lua, prefixed.length, ...prefixed, ...args)
    }
  }
}

/** `events.once` would reject at the first failed attempt to connect. */
function emitted(client: Redis, event: string): Promise<void> {
  return new Promise((resolve) => client.once(event, () => resolve()))
}

/** Does not wait for `end`: a client between two attempts to connect never emits it. */
async function closeClient(client: Redis): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => {})
  client.disconnect()
}
