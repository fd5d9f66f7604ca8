import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { locatePrimary } from './find-primary.ts'

export interface ListenOptions {
  /** As for `openDatabase`, with one or several hosts. */
  readonly url: string
  readonly channels: readonly string[]
  onNotification(channel: string, payload: string): void
  /** Listening resumed after a gap. Notifications in between are lost: read the tables now. */
  onReconnect(): void
  onError?(error: Error): void
  readonly connectTimeoutMs?: number
  /** How often the connection is checked while nothing arrives; 15 s by default. */
  readonly heartbeatMs?: number
}

export interface Listener {
  close(): Promise<void>
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
const FAREWELL_MS = 1000

/**
 * A dedicated connection for NOTIFY, which reconnects after a restart or a failover. Rejects when the first attempt
 * fails: a process should not start without its database.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const stop = new AbortController()
  const first = await openListening(options)
  const ended = keepListening(options, first, stop.signal)
  return {
    async close() {
      stop.abort()
      await ended
    },
  }
}

async function keepListening(options: ListenOptions, first: Client, stop: AbortSignal): Promise<void> {
  let client = first
  for (;;) {
    await untilLostOrStopped(client, options, stop)
    await Promise.race([client.end().catch(() => {}), pause(FAREWELL_MS)])
    if (stop.aborted) return
    const next = await reopen(options, stop)
    if (next === null) return
    client = next
    options.onReconnect()
  }
}

async function reopen(options: ListenOptions, stop: AbortSignal): Promise<Client | null> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      const client = await openListening(options)
      if (!stop.aborted) return client
      await client.end()
      return null
    } catch (error) {
      report(options, error)
    }
    await pause(pauseMs, null, { signal: stop }).catch(() => {})
    if (stop.aborted) return null
  }
}

async function openListening(options: ListenOptions): Promise<Client> {
  const timeoutMs = options.connectTimeoutMs ?? 5000
  const client = new Client({
    connectionString: await locatePrimary(options.url, timeoutMs),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    application_name: 'sealpost-listen',
  })
  client.on('error', (error) => report(options, error))
  client.on('notification', ({ channel, payload }) => options.onNotification(channel, payload ?? ''))
  try {
    await client.connect()
    for (const channel of options.channels) await client.query(`listen ${client.escapeIdentifier(channel)}`)
    return client
  } catch (error) {
    void client.end().catch(() => {})
    throw error
  }
}

/** A connection can die silently, and a demoted server sends no notifications: hence the heartbeat. */
function untilLostOrStopped(client: Client, options: ListenOptions, stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const beat = async (): Promise<void> => {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (rows[0]?.standby !== false) throw new Error('the server listened to has become a standby')
  }
  const heartbeat = setInterval(() => {
    beat().catch((error: unknown) => {
      report(options, error)
      resolve()
    })
  }, options.heartbeatMs ?? 15_000)
  client.once('error', () => resolve())
  client.once('end', () => resolve())
  stop.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearInterval(heartbeat))
}

function report(options: ListenOptions, error: unknown): void {
  options.onError?.(error instanceof Error ? error : new Error(String(error)))
}
