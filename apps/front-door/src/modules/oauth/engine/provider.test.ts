import { type Database, openDatabase } from '@sealpost/postgres'
import { recordingTelemetry } from '@sealpost/telemetry'
import { fixedClock, fixedIds, northwind, reservePort } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTokenServer, type TokenServer } from '../testing/token-server.ts'

let database: Database
let server: TokenServer
let unusedPort: Awaited<ReturnType<typeof reservePort>>
const telemetry = recordingTelemetry()

beforeAll(async () => {
  unusedPort = await reservePort()
  const url = `postgres://postgres@127.0.0.1:${unusedPort.port}/directory`
  database = openDatabase({ url, connectTimeoutMs: 200 })
  const clock = fixedClock()
  server = await startTokenServer({ database, telemetry, clock, ids: fixedIds(clock) }, `k1:${'a'.repeat(32)}`)
})
afterAll(async () => {
  await server.close()
  await database.close()
  unusedPort.release()
})

test('without its directory the token endpoint answers 503 with Retry-After and logs the cause', async () => {
  const { status, headers, body } = await server.ask(northwind)
  expect(status).toBe(503)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(body).toMatchObject({ error_key: 'platform.busy' })
  const logged = telemetry.lines().find(({ msg }) => msg.endsWith('failed a call'))
  expect(logged).toMatchObject({ level: 'warn', request_id: headers.get('x-request-id') })
  expect(JSON.stringify(logged?.['err'])).toContain(String(unusedPort.port))
  expect(telemetry.text()).not.toContain(northwind.clientSecret)
})

test('links have the scheme of the public address, also behind a proxy that terminates TLS', async () => {
  const headers = { 'x-forwarded-proto': 'http' }
  const answer = await fetch(`${server.url}/.well-known/oauth-authorization-server`, { headers })
  expect(await answer.json()).toMatchObject({
    issuer: 'https://front.example',
    token_endpoint: 'https://front.example/oauth2/token',
    jwks_uri: 'https://front.example/oauth2/jwks',
  })
})
