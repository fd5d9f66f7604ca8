import { embeddedIPv4, isInside, parseBlock, type Address, type AddressBlock } from './address.ts'

export type SpecialRange =
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'carrier_nat'
  | 'link_local'
  | 'unique_local'
  | 'multicast'
  | 'broadcast'
  | 'documentation'
  | 'benchmark'
  | 'tunnel'
  | 'reserved'

/**
 * The IANA special-purpose registries, narrow blocks before the wide ones that contain them: the first match names the
 * address.
 */
const IPV4: readonly (readonly [string, SpecialRange])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier_nat'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link_local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'tunnel'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmark'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
]

/**
 * Teredo and 6to4 are refused completely: the relay's owner decides where they end. So is local NAT64
 * (`64:ff9b:1::/48`), whose layout differs per network.
 */
const IPV6: readonly (readonly [string, SpecialRange])[] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['64:ff9b:1::/48', 'tunnel'],
  ['fc00::/7', 'unique_local'],
  ['fe80::/10', 'link_local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
  ['2001::/32', 'tunnel'],
  ['2001:2::/48', 'benchmark'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', 'tunnel'],
  ['3fff::/20', 'documentation'],
]

/** Written as IPv6, delivered as IPv4: mapped addresses by the kernel, NAT64's by the network's translator. */
const CARRIES_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'].map(block)
const GLOBAL_UNICAST = block('2000::/3')
const TABLE = {
  4: IPV4.map(([text, range]) => ({ block: block(text), range })),
  6: IPV6.map(([text, range]) => ({ block: block(text), range })),
} as const

/** Null for an address of the public Internet. */
export function specialRangeOf(written: Address): SpecialRange | null {
  const address = deliveredAddress(written)
  const found = TABLE[address.family].find((entry) => isInside(address, entry.block))
  if (found !== undefined) return found.range
  // Only one eighth of IPv6 is assigned; the rest, including IPv4-compatible addresses, is refused without a list.
  return address.family === 4 || isInside(address, GLOBAL_UNICAST) ? null : 'reserved'
}

/** The address of the machine that a packet reaches, which is the one to check. */
export function deliveredAddress(written: Address): Address {
  return CARRIES_IPV4.some((carrier) => isInside(written, carrier)) ? embeddedIPv4(written) : written
}

function block(text: string): AddressBlock {
  const parsed = parseBlock(text)
  if (parsed === null) throw new Error(`${text} is not an address block`)
  return parsed
}
