import { readSettings } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { egressPolicy, egressSettings, type EgressPolicy } from './policy.ts'
import { readTarget } from './target.ts'

function verdict(policy: EgressPolicy, url: string): string {
  const reading = readTarget(policy, url)
  return reading.ok ? 'allowed' : reading.refusal
}

test('without settings only the public Internet may be called', () => {
  const policy = egressPolicy(readSettings(egressSettings, {}))
  expect(verdict(policy, 'http://10.0.0.1/')).toBe('private')
  expect(verdict(policy, 'http://8.8.8.8/')).toBe('allowed')
})

test('private targets can be allowed for development, impossible ones cannot', () => {
  const policy = egressPolicy(readSettings(egressSettings, { ALLOW_PRIVATE_TARGETS: '1' }))
  for (const host of ['127.0.0.1', '10.0.0.1', '169.254.1.1', '100.64.0.1', '[fd00::1]', 'localhost']) {
    expect(verdict(policy, `http://${host}/`)).toBe('allowed')
  }
  expect(verdict(policy, 'http://0.0.0.0/')).toBe('unspecified')
  expect(verdict(policy, 'http://224.0.0.1/')).toBe('multicast')
})

test('our own infrastructure is allowed by host, or by host and port, and nothing else', () => {
  const policy = { internalHosts: ['10.0.0.7:9000', 'objects.internal', '[fd00::7]:9000'] }
  expect(verdict(policy, 'http://10.0.0.7:9000/')).toBe('allowed')
  expect(verdict(policy, 'http://0xa000007:9000/')).toBe('allowed')
  expect(verdict(policy, 'http://10.0.0.7:9001/')).toBe('private')
  expect(verdict(policy, 'http://10.0.0.8:9000/')).toBe('private')
  expect(verdict(policy, 'http://[fd00:0::7]:9000/')).toBe('allowed')
  expect(verdict(policy, 'http://[fd00::7]/')).toBe('unique_local')
  expect(verdict(policy, 'https://objects.internal/')).toBe('allowed')
})

test('allowing private targets does not open the platform itself', () => {
  const policy = { allowPrivateTargets: true, platformHosts: ['10.1.0.0/16', '.cell.internal'] }
  expect(verdict(policy, 'http://10.1.2.3/')).toBe('platform_host')
  expect(verdict(policy, 'http://db.cell.internal/')).toBe('platform_host')
  expect(verdict(policy, 'http://10.2.0.1/')).toBe('allowed')
})

test('dots at the end of a name do not make it another one', () => {
  const policy = { platformHosts: ['api.example.com', '.cell.internal'] }
  for (const host of ['api.example.com', 'api.example.com.', 'api.example.com..', 'db.cell.internal...']) {
    expect(verdict(policy, `http://${host}/`)).toBe('platform_host')
  }
  expect(verdict(policy, 'http://localhost../')).toBe('loopback')
  expect(verdict(policy, 'http://127.0.0.1../')).toBe('loopback')
})

test('the public URLs of the platform are no targets: a name at any port, an address at its own', () => {
  const policy = {
    allowPrivateTargets: true,
    platformUrls: ['https://login.example.com', 'http://127.0.0.1:8081', 'http://localhost:8082/'],
  }
  for (const url of [
    'https://login.example.com/',
    'http://LOGIN.example.com.:8443/x',
    'http://127.1:8081/',
    'http://[::ffff:127.0.0.1]:8081/',
    'http://localhost:8082/',
  ])
    expect([url, verdict(policy, url)]).toEqual([url, 'platform_host'])
  for (const url of ['https://example.com/', 'http://127.0.0.1:8080/', 'http://localhost:8081/'])
    expect([url, verdict(policy, url)]).toEqual([url, 'allowed'])
})

test('ports can be limited', () => {
  const policy = { ports: [80, 443] }
  expect(verdict(policy, 'https://8.8.8.8/')).toBe('allowed')
  expect(verdict(policy, 'https://8.8.8.8:6379/')).toBe('port')
})

test('a malformed block is reported at start', () => {
  expect(() => readSettings(egressSettings, { EGRESS_PLATFORM_HOSTS: 'a.example, 10.0.0.0/99' })).toThrow('10.0.0.0/99')
})
