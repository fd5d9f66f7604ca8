import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readEngines, variableName } from './endpoints.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealpost-endpoints-'))
const file = join(folder, 'engines.json')
const site = { postgresUrl: 'postgres://a/one', natsUrl: 'nats://a', redisUrl: 'redis://a/1' }
const s3 = { endpoint: 'http://a', region: 'eu', accessKeyId: 'key', secretAccessKey: 'hidden', bucket: 'sealpost-eu' }
writeFileSync(file, JSON.stringify({ directory: site, eu: { ...site, s3 }, us: { ...site, s3 } }))
afterAll(() => rmSync(folder, { recursive: true }))

test('an environment variable replaces one endpoint and leaves the others', () => {
  const engines = readEngines({ SEALPOST_EU_S3_ENDPOINT: 'http://b' }, file)
  expect(engines.eu.s3.endpoint).toBe('http://b')
  expect(engines.eu.s3.bucket).toBe('sealpost-eu')
  expect(engines.us.s3.endpoint).toBe('http://a')
})

test('without the file the error names the command and the variable that help', () => {
  expect(() => readEngines({}, join(folder, 'missing.json'))).toThrow(
    'run npm run infra first, or set SEALPOST_DIRECTORY_POSTGRES_URL',
  )
})

test('the secret key does not print', () => {
  expect(JSON.stringify(readEngines({}, file))).not.toContain('hidden')
})

test('variables are named after the place of the value', () => {
  expect(variableName(['us', 's3', 'accessKeyId'])).toBe('SEALPOST_US_S3_ACCESS_KEY_ID')
})
