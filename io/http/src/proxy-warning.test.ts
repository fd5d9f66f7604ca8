import { onTestFinished, describe, expect, test } from 'vitest'
import { proxyAdvice } from './proxy-warning.ts'
import { startTestServer } from './testing/server.ts'

async function openTest(trustedProxies: readonly string[]) {
  const api = await startTestServer({ trustedProxies })
  onTestFinished(() => api.close())
  const send = async (headers: Readonly<Record<string, string>>) => (await api.send('/api/open', { headers })).status
  const warnings = () => api.telemetry.lines().filter(({ msg }) => msg.includes('TRUSTED_PROXIES'))
  return { send, warnings }
}

describe('a server that trusts no proxy', () => {
  test.each([{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }])(
    'warns once when a request was forwarded, and says what to set: %j',
    async (headers) => {
      const { send, warnings } = await openTest([])
      expect(await send({})).toBe(200)
      expect(warnings()).toEqual([])
      for (let calls = 0; calls < 3; calls += 1) expect(await send(headers)).toBe(200)
      expect(warnings()).toEqual([
        expect.objectContaining({ peer: '127.0.0.1', msg: expect.stringContaining('set TRUSTED_PROXIES') }),
      ])
    },
  )
})

test('a server that trusts one does not warn', async () => {
  const { send, warnings } = await openTest(['127.0.0.1'])
  expect(await send({ 'x-forwarded-for': '203.0.113.7' })).toBe(200)
  expect(warnings()).toEqual([])
})

test('a public https address without a trusted proxy is reported', () => {
  expect(proxyAdvice('https://eu.example', [])).toContain('set TRUSTED_PROXIES')
  expect(proxyAdvice('https://eu.example', ['10.0.0.1'])).toBeNull()
  expect(proxyAdvice('http://127.0.0.1:8080', [])).toBeNull()
})
