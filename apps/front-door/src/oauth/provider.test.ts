import { parseKeyring } from '@sealpost/kernel'
import { openDatabase } from '@sealpost/postgres'
import { recordingTelemetry } from '@sealpost/telemetry'
import { northwind, reservePort } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { startTokenServer } from './testing/token-server.ts'

test('without its directory the token endpoint owns up to the fault and logs the cause', async () => {
  const url = `postgres://postgres@127.0.0.1:${await reservePort()}/directory`
  const database = openDatabase({ url, connectTimeoutMs: 200 })
  const telemetry = recordingTelemetry()
  const server = await startTokenServer({ database, telemetry, pepper: parseKeyring(`k1:${'a'.repeat(32)}`) })
  try {
    const { status, headers, body } = await server.ask(northwind)
    expect(status).toBe(500)
    expect(body).toEqual({
      error: 'server_error',
      error_description: 'Something went wrong on our side',
      error_key: 'platform.internal_error',
    })
    const logged = telemetry.lines().find(({ msg }) => msg === 'the OAuth engine failed')
    expect(logged).toMatchObject({
      level: 'error',
      route: 'token',
      request_id: headers.get('x-request-id'),
      err: expect.anything(),
    })
    expect(JSON.stringify(logged)).toMatch(/ECONNREFUSED|connect/i)
    expect(telemetry.text()).not.toContain(northwind.clientSecret)
  } finally {
    await server.close()
    await database.close()
  }
})
