import fc from 'fast-check'
import { expect, test } from 'vitest'
import { embeddedIPv4, isInside, isSameAddress, parseAddress, parseBlock, type Address } from './address.ts'

function address(text: string): Address {
  const parsed = parseAddress(text)
  if (parsed === null) throw new Error(`${text} is not an address`)
  return parsed
}

test('every way to write an IPv6 address reads as the same number', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const shortest = new URL(`http://[${text}]/`).hostname.slice(1, -1)
      expect(isSameAddress(address(text), address(shortest))).toBe(true)
    }),
  )
})

test('an IPv4 address mapped into IPv6 is recognised', () => {
  fc.assert(
    fc.property(fc.ipV4(), (text) => {
      expect(embeddedIPv4(address(`::ffff:${text}`)).text).toBe(text)
    }),
  )
})

test('text that is not an address in standard notation is refused', () => {
  for (const text of ['', '127.1', '0177.0.0.1', '2130706433', '1.2.3', '::1%lo', '[::1]', 'localhost', '1.2.3.4 ']) {
    expect(parseAddress(text)).toBeNull()
  }
})

test('a block holds its first and last address and not their neighbours', () => {
  const block = parseBlock('172.16.0.0/12')
  if (block === null) throw new Error('not a block')
  expect(['172.16.0.0', '172.31.255.255'].map((text) => isInside(address(text), block))).toEqual([true, true])
  expect(['172.15.255.255', '172.32.0.0', '::ac10:1'].map((text) => isInside(address(text), block))).toEqual([
    false,
    false,
    false,
  ])
  for (const text of ['10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '10.0.0/8', '::/129']) {
    expect(parseBlock(text)).toBeNull()
  }
})
