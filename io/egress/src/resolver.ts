import { Resolver as DnsResolver } from 'node:dns/promises'
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
      const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
      const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
      return addresses
    },
  }
}
