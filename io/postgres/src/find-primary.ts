import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientBase } from 'pg'
import { DatabaseUnavailableError, NotPrimaryError } from './errors.ts'
import { hostOf, splitHosts } from './hosts.ts'

/** How long the other servers may still answer once one has reported that it accepts writes. */
const GRACE_MS = 250

interface Primary {
  readonly url: string
  /** Raised by every promotion. */
  readonly timeline: string
}

/** The URL of the primary; a single host is not queried. */
export async function locatePrimary(url: string, timeoutMs = 5000): Promise<string> {
  const urls = splitHosts(url)
  const [only] = urls
  return urls.length === 1 && only !== undefined ? only : findPrimary(urls, timeoutMs)
}

/**
 * Queries all servers at once and returns the one that accepts writes. If two do, because a former primary returned
 * without having been demoted, the one of the later promotion wins: the other's writes would be lost.
 */
async function findPrimary(urls: readonly string[], timeoutMs: number): Promise<string> {
  const found: Primary[] = []
  const reasons: string[] = []
  const asking = urls.map(async (url) => {
    try {
      found.push({ url, timeline: await readTimeline(url, timeoutMs) })
    } catch (error) {
      reasons.push(`${hostOf(url)}: ${error instanceof Error ? error.message : String(error)}`)
      throw error
    }
  })
  await Promise.any(asking).catch(() => {
    throw new DatabaseUnavailableError(`no server takes writes (${reasons.join('; ')})`)
  })
  await Promise.race([Promise.allSettled(asking), pause(GRACE_MS)])
  const [latest] = found.toSorted((one, other) => other.timeline.localeCompare(one.timeline))
  if (latest === undefined) throw new Error('unreachable: one server has answered')
  return latest.url
}

export async function requirePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ refuses: boolean }>(
    `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as refuses`,
  )
  if (rows[0]?.refuses !== false) throw new NotPrimaryError('the server takes no writes')
}

async function readTimeline(url: string, timeoutMs: number): Promise<string> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'sealpost-find-primary',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await requirePrimary(client)
    const sql = 'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline'
    const { rows } = await client.query<{ timeline: string }>(sql)
    return rows[0]?.timeline ?? ''
  } finally {
    // Not awaited: a server that has stopped answering would not answer the close either.
    void client.end().catch(() => {})
  }
}
