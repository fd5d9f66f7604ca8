import { isIPv6 } from 'node:net'

/** A bucket of a limit by address: its key, and how many times the size of the limit it has. */
export interface AddressBucket {
  readonly key: string
  readonly times: number
}

const WIDER = 10
const GROUPS = 8
/** Also one that is written as an IPv6 address, `::ffff:203.0.113.7`. */
const IPV4 = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i

/**
 * The buckets in which a call counts where a limit is by address. One IPv6 customer has a /64 at least and often a /48,
 * and may use a new address for every call: the /64 counts as one address, the /48 as ten.
 */
export function addressBuckets(address: string): readonly AddressBucket[] {
  const ip = unmapped(address)
  if (!isIPv6(ip)) return [{ key: `ip:${ip}`, times: 1 }]
  const groups = groupsOf(ip)
  return [
    { key: `ip:${groups.slice(0, 4).join(':')}::/64`, times: 1 },
    { key: `ip:${groups.slice(0, 3).join(':')}::/48`, times: WIDER },
  ]
}

/** The address as one caller: an IPv6 address is named by its /64. */
export function addressName(ip: string): string {
  const [first] = addressBuckets(ip)
  return first?.key ?? `ip:${ip}`
}

/** The network of an address, /24 or /48: enough for its owner to recognize it, and no address of one person. */
export function shortAddress(ip: string): string {
  const firstThree = IPV4.exec(ip)?.[1]
  if (firstThree !== undefined) return `${firstThree}.0/24`
  return `${groupsOf(ip).slice(0, 3).join(':')}::/48`
}

/** A server that listens on IPv6 and IPv4 sees IPv4 addresses as IPv6 ones, which would all be in one /64. */
function unmapped(address: string): string {
  return /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(ip: string): readonly string[] {
  const [address = ''] = ip.toLowerCase().split('%')
  const [head = '', tail] = address.split('::')
  const before = partsOf(head)
  const after = tail === undefined ? [] : partsOf(tail)
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after]
}

function partsOf(text: string): readonly string[] {
  // An IPv4 address at the end has the place of two groups; they are not part of a prefix.
  return text === '' ? [] : text.split(':').flatMap((part) => (part.includes('.') ? ['0', '0'] : [withoutZeros(part)]))
}

function withoutZeros(group: string): string {
  return group.replace(/^0+(?=.)/, '')
}
