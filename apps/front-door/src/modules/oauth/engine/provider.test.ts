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

test('without its directory the token endpoint answers 500 and logs the cause', async () => {
  const { status, headers, body } = await server.ask(northwind)
  expect(status).toBe(500)
  expect(body).toEqual({
    error: 'server_error',
    error_description: 'An internal error occurred',
    error_key: 'platform.internal_error',
  })
  const logged = telemetry.lines().find(({ msg }) => msg === 'the OAuth engine failed')
  expect(logged).toMatchObject({ level: 'error', route: 'token', request_id: headers.get('x-request-id') })
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
