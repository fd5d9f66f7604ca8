import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings, SettingsError } from '@sealpost/kernel'
import { parseRegions } from '@sealpost/protocol'
import { afterAll, expect, test } from 'vitest'
import { createKey } from './credentials/keys.ts'
import type { Parties } from './parties.ts'
import { busSettings, partiesOf } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealpost-bus-settings-'))
const caFile = join(folder, 'ca.crt')
writeFileSync(caFile, '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n')
afterAll(() => rmSync(folder, { recursive: true }))

const [euSeed, usSeed] = [createKey().reveal(), createKey().reveal()]
const BOTH = `eu:${euSeed},us:${usSeed}`

function parties(environment: Readonly<Record<string, string>>, scheme = 'nats'): Parties {
  const regions = parseRegions(
    `eu|Europe|https://eu.example|${scheme}://eu:4222,us|US|https://us.example|tls://us:4222`,
  )
  return partiesOf(regions, readSettings(busSettings, environment))
}

function problems(environment: Readonly<Record<string, string>>, scheme?: string): readonly string[] {
  try {
    parties(environment, scheme)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

test('without a login nothing starts, and the problem says how to get one', () => {
  const [eu, us] = problems({})
  expect(eu).toMatch(/^NATS_KEYS has no key for the NATS of eu: .*bus:credentials.*ALLOW_ANONYMOUS_NATS=1/)
  expect(us).toContain('the NATS of us')
  expect(problems({ NATS_KEYS: `eu:${euSeed}` })).toEqual([us])
  expect(problems({ NATS_KEYS: BOTH })).toEqual([])
})

test('on a machine for development it can be allowed', () => {
  expect(problems({ ALLOW_ANONYMOUS_NATS: '1' })).toEqual([])
  expect(parties({ ALLOW_ANONYMOUS_NATS: '1' })).toEqual({
    directory: null,
    eu: { servers: ['nats://eu:4222'] },
    us: { servers: ['tls://us:4222'] },
  })
})

test('each region’s NATS gets its own key, which does not print', () => {
  const { eu, us } = parties({ NATS_KEYS: BOTH })
  expect([eu?.key?.reveal(), us?.key?.reveal()]).toEqual([euSeed, usSeed])
  expect(JSON.stringify(parties({ NATS_KEYS: BOTH }))).not.toContain(euSeed)
})

test.each([
  ['a part does not read `region:seed`', 'eu'],
  ['the key for eu is not the seed of a NATS user', 'eu:secret'],
  ['two keys are for eu', `eu:${euSeed},eu:${usSeed}`],
])('NATS_KEYS is refused without printing it: %s', (reason, text) => {
  const reading = () => readSettings(busSettings, { NATS_KEYS: text })
  expect(reading).toThrow(reason)
  expect(reading).toThrow('NATS_KEYS: its value is not')
})

test('certificates of an authority need TLS in the address, and a readable file', () => {
  const environment = { NATS_KEYS: BOTH, NATS_CA_FILE: caFile }
  expect(problems(environment)).toEqual([
    'NATS_CA_FILE is set, but the NATS address of eu begins with nats://: write tls:// in REGIONS',
  ])
  expect(parties(environment, 'tls').us?.ca).toContain('BEGIN CERTIFICATE')
  expect(problems({ ...environment, NATS_CA_FILE: join(folder, 'missing') })).toEqual([
    expect.stringContaining('is not the path of a readable PEM file'),
  ])
})

test('the addresses of one NATS use TLS all, or none', () => {
  const regions = parseRegions('eu|Europe|https://eu.example|nats://one:4222;tls://two:4222')
  expect(() => partiesOf(regions, readSettings(busSettings, { NATS_KEYS: BOTH }))).toThrow('all begin with tls://')
})
