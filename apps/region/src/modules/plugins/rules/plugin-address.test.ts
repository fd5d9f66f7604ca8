import { describe, expect, test } from 'vitest'
import { type AddressFacts, readPluginAddress } from './plugin-address.ts'

const anywhere: AddressFacts = { refusalOf: () => null, allowsPrivate: false }

describe('the address of a plugin', () => {
  test.each([
    ['https://plugin.example.com', 'https://plugin.example.com'],
    ['https://plugin.example.com/', 'https://plugin.example.com'],
    ['https://PLUGIN.example.com:443/v1/', 'https://plugin.example.com/v1'],
    ['https://plugin.example.com./v1', 'https://plugin.example.com/v1'],
  ])('%s has one form', (given, address) => {
    expect(readPluginAddress(given, anywhere)).toEqual({ ok: true, value: address })
  })

  test.each([
    ['plugin.example.com', 'not an absolute address'],
    ['', 'not an absolute address'],
    ['https://plugin example.com', 'not an absolute address'],
    [`https://plugin.example.com/${'x'.repeat(2048)}`, 'not an absolute address'],
    ['http://plugin.example.com', 'https'],
    ['ftp://plugin.example.com', 'https'],
    ['https://plugin.example.com:8443', 'port'],
    ['https://me@plugin.example.com', 'user name'],
    ['https://:pw@plugin.example.com', 'password'],
    ['https://plugin.example.com?', 'query'],
    ['https://plugin.example.com/?a=1', 'query'],
    ['https://plugin.example.com#', 'fragment'],
    ['https://plugin.example.com/#top', 'fragment'],
  ])('%s is refused with its reason', (given, reason) => {
    expect(readPluginAddress(given, anywhere)).toEqual({ ok: false, refusal: expect.stringContaining(reason) })
  })

  test('that requests may not reach is refused', () => {
    const facts = { ...anywhere, refusalOf: () => 'the target belongs to this platform' }
    expect(readPluginAddress('https://plugin.example.com', facts)).toEqual({
      ok: false,
      refusal: 'the target belongs to this platform',
    })
  })

  test('may have any port and no TLS on this machine, in development only', () => {
    const development = { ...anywhere, allowsPrivate: true }
    expect(readPluginAddress('http://127.0.0.1:4001/', development)).toEqual({
      ok: true,
      value: 'http://127.0.0.1:4001',
    })
    expect(readPluginAddress('http://127.0.0.1:4001', anywhere).ok).toBe(false)
    expect(readPluginAddress('https://127.0.0.1:4001', anywhere).ok).toBe(false)
    expect(readPluginAddress('http://10.0.0.1', development).ok).toBe(false)
    expect(readPluginAddress('https://plugin.example.com:4001', development).ok).toBe(false)
  })
})
