import { isIPv4, isIPv6 } from 'node:net'

/** An IP address as a number, so that all its spellings compare equal. */
export interface Address {
  readonly family: 4 | 6
  readonly bits: bigint
  readonly text: string
}

export interface AddressBlock {
  readonly family: 4 | 6
  readonly bits: bigint
  readonly prefixLength: number
}

const WIDTH = { 4: 32, 6: 128 } as const

/**
 * Parses the standard notations only; null for anything else. A zone id (`fe80::1%eth0`) is refused too: no public
 * target has one.
 */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, bits: readIPv4(text), text }
  if (isIPv6(text) && !text.includes('%')) return { family: 6, bits: readIPv6(text), text }
  return null
}

/** `10.0.0.0/8`, `fc00::/7`, or a single address. */
export function parseBlock(text: string): AddressBlock | null {
  const [head = '', length, ...rest] = text.split('/')
  const address = parseAddress(head)
  if (address === null || rest.length > 0) return null
  const width = WIDTH[address.family]
  const prefixLength = length === undefined ? width : Number(length)
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || prefixLength > width)) return null
  return { family: address.family, bits: address.bits, prefixLength }
}

export function isInside(address: Address, block: AddressBlock): boolean {
  if (address.family !== block.family) return false
  const hostBits = BigInt(WIDTH[block.family] - block.prefixLength)
  return address.bits >> hostBits === block.bits >> hostBits
}

export function isSameAddress(one: Address, other: Address): boolean {
  return one.family === other.family && one.bits === other.bits
}

/** The IPv4 address in the last 32 bits of an IPv6 one. */
export function embeddedIPv4(address: Address): Address {
  const bits = address.bits & 0xffff_ffffn
  const text = [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.')
  return { family: 4, bits, text }
}

function readIPv4(text: string): bigint {
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

function readIPv6(text: string): bigint {
  const [head = '', tail] = text.split('::')
  const before = readGroups(head)
  const after = tail === undefined ? [] : readGroups(tail)
  const gap = Array.from({ length: 8 - before.length - after.length }, () => 0n)
  return [...before, ...gap, ...after].reduce((bits, group) => (bits << 16n) | group, 0n)
}

function readGroups(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)]
    const dotted = readIPv4(group)
    return [dotted >> 16n, dotted & 0xffffn]
  })
}
