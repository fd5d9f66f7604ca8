import { Resolver as DnsResolver } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isLocalhost } from './target.ts'

export interface Resolver {
  /** All IPv4 and IPv6 addresses of a name; throws an error with a `code` when there are none. */
  resolve(name: string): Promise<readonly string[]>
}

export interface ResolverOptions {
  /** `192.0.2.53` or `192.0.2.53:5353`; absent means those of the operating system. */
  readonly servers?: readonly string[]
}

/**
 * Asks name servers directly. `dns.lookup` would run in libuv's few threads, where a handful of slow domains hold up
 * every other request; these queries wait side by side. The hosts file and search domains are not consulted.
 */
export function dnsResolver(options: ResolverOptions = {}): Resolver {
  const dns = new DnsResolver({ timeout: 1_500, tries: 2 })
  if (options.servers !== undefined) dns.setServers(options.servers)
  return {
    async resolve(name) {
      if (isLocalhost(name)) return ['127.0.0.1', '::1']
      const ipv6 = dns.resolve6(name).catch(() => [])
      const ipv4 = await dns.resolve4(name).catch((error: unknown) => asError(error))
      if (!(ipv4 instanceof Error)) return [...ipv4, ...(await withinGrace(ipv6))]
      const addresses = await ipv6
      if (addresses.length === 0) throw ipv4
      return addresses
    },
  }
}

interface Remembered {
  readonly answer: Promise<readonly string[]>
  readonly untilMs: number
}

const REMEMBERED_MS = 5_000
const REMEMBERED_NAMES = 4_096

/**
 * Asks once for all who want the same name within some seconds. What was answered is judged for every request all the
 * same, and only judged addresses are dialled, so that remembering opens nothing. A failure is not remembered.
 */
export function rememberAnswers(
  resolver: Resolver,
  { keepMs = REMEMBERED_MS, nowMs = () => performance.now() }: { keepMs?: number; nowMs?: () => number } = {},
): Resolver {
  const known = new Map<string, Remembered>()
  return {
    resolve(name) {
      const before = known.get(name)
      if (before !== undefined && nowMs() < before.untilMs) return before.answer
      const answer = resolver.resolve(name)
      if (known.size >= REMEMBERED_NAMES) known.clear()
      const fresh = { answer, untilMs: nowMs() + keepMs }
      known.set(name, fresh)
      answer.catch(() => {
        if (known.get(name) === fresh) known.delete(name)
      })
      return answer
    },
  }
}

const GRACE_MS = 300

/** Some name servers never answer for IPv6; a name that has IPv4 does not wait for them. What comes late is not dialled. */
async function withinGrace(answer: Promise<readonly string[]>): Promise<readonly string[]> {
  const grace = new AbortController()
  try {
    return await Promise.race([answer, pause(GRACE_MS, [], { signal: grace.signal })])
  } finally {
    grace.abort()
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the name server gave no reason')
}
