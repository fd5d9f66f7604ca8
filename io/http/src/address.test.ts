import { describe, expect, test } from 'vitest'
import { addressBuckets, addressName, shortAddress } from './address.ts'

describe('limits by address', () => {
  test('an IPv4 address has one bucket of its own', () => {
    expect(addressBuckets('192.0.2.7')).toEqual([{ key: 'ip:192.0.2.7', times: 1 }])
  })

  test.each([
    '2001:db8:1:2::1',
    '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff',
    '2001:db8:1:2:3:4:192.0.2.1',
    '2001:db8:1:2::%eth0',
  ])('%s counts by its /64, and its /48 has ten times the size', (ip) => {
    expect(addressBuckets(ip)).toEqual([
      { key: 'ip:2001:db8:1:2::/64', times: 1 },
      { key: 'ip:2001:db8:1::/48', times: 10 },
    ])
  })

  test.each([
    ['::1', 'ip:0:0:0:0::/64'],
    ['2001:db8::', 'ip:2001:db8:0:0::/64'],
    ['2001:db8::5:0:0:1', 'ip:2001:db8:0:0::/64'],
    ['1:2:3:4:5:6:7:8', 'ip:1:2:3:4::/64'],
    ['::2:3:4:5:6:7:8', 'ip:0:2:3:4::/64'],
    ['203.0.113.9', 'ip:203.0.113.9'],
  ])('%s is the caller %s', (ip, name) => {
    expect(addressName(ip)).toBe(name)
  })
})

describe('an address that is kept', () => {
  test.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['::ffff:203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8::7', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1::/48'],
  ])('%s is shortened to %s', (ip, network) => {
    expect(shortAddress(ip)).toBe(network)
  })
})
