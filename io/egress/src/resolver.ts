import { Resolver as DnsResolver } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createBoundedCache } from '@sealpost/kernel'
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
 * Queries name servers directly. `dns.lookup` would run in libuv's few threads, where a handful of slow domains delay
 * every other request; these queries wait concurrently. The hosts file and search domains are not used.
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

const REMEMBERED_MS = 5_000
const REMEMBERED_NAMES = 4_096

/**
 * One query for all requests of the same name within some seconds. The addresses are still checked for every request,
 * and only allowed addresses are dialled, so the cache opens no hole. A failure is not cached.
 */
export function rememberAnswers(
  resolver: Resolver,
  { keepMs = REMEMBERED_MS, nowMs = () => performance.now() }: { keepMs?: number; nowMs?: () => number } = {},
): Resolver {
  const known = createBoundedCache<string, Promise<readonly string[]>>({
    most: REMEMBERED_NAMES,
    expiry: { keepMs, now: nowMs },
  })
  function ask(name: string): Promise<readonly string[]> {
    const answer = resolver.resolve(name)
    answer.catch(() => {
      if (known.get(name) === answer) known.delete(name)
    })
    return answer
  }
  return { resolve: (name) => known.remember(name, () => ask(name)) }
}

const GRACE_MS = 300

/**
 * Some name servers never answer for IPv6; a name that has IPv4 does not wait for them. Late addresses are not dialled.
 */
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
