import { randomUUID } from 'node:crypto'
import { AuthorizationError, connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node'
import { frontDoorSettings, startFrontDoor } from '@sealpost/front-door'
import { readSettings } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { changeClientAsk, openSessionAsk } from '@sealpost/protocol'
import { regionSettings, startRegion } from '@sealpost/region'
import { quietTelemetry } from '@sealpost/telemetry'
import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'

/** A stranger who reaches the NATS servers, and a region that lies about who it is. */
const world = await openWorld()
const service = await world.service()
const SECRET = 'a'.repeat(43)
const change = {
  client_id: service.client.clientId,
  user_id: service.company.userId,
  secret: { id: world.eu.platform.ids.uuid(), value: SECRET },
  least: { rev: 0, epoch: 0 },
}
const login = {
  user_id: service.company.userId,
  auth_verifier: service.company.login.authVerifier,
  otp: null,
  device_tokens: [],
  trust_device: false,
  device_name: '',
}

test('a stranger who reaches NATS is not let in', async () => {
  for (const { url } of [world.isolated.nats.eu, world.isolated.nats.us])
    await expect(connect({ servers: url, reconnect: false })).rejects.toBeInstanceOf(AuthorizationError)
})

test('a region hears no login of another one, and cannot pose as it or as the front door', async () => {
  const heard: string[] = []
  const atEu = await connectAs('us', 'eu')
  const atUs = await connectAs('us', 'us')
  const listen = (connection: NatsConnection, subject: string): void => {
    connection.subscribe(subject, { callback: (error) => void heard.push(error === null ? subject : 'refused') })
  }
  for (const subject of ['sealpost.>', '_INBOX.>']) listen(atEu, subject)
  await service.company.logIn()
  await atEu.flush()
  expect(heard).toEqual(['refused', 'refused'])
  const poses = [
    ask(atEu, 'sealpost.ask.eu.directory', openSessionAsk.command, login),
    ask(atUs, 'sealpost.ask.directory.eu', changeClientAsk.command, change),
    ask(atEu, 'sealpost.ask.directory.eu', changeClientAsk.command, change),
  ]
  for (const pose of await Promise.allSettled(poses))
    expect(pose).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('Permissions Violation') },
    })
})

test('in its own name a region opens no session elsewhere and changes no client of another region', async () => {
  const session = await ask(await connectAs('us', 'eu'), 'sealpost.ask.eu.us', openSessionAsk.command, login)
  const changed = await ask(await connectAs('us', 'us'), 'sealpost.ask.directory.us', changeClientAsk.command, change)
  expect(session).toMatchObject({ ok: false, refusal: { key: 'platform.internal_error' } })
  expect(changed).toMatchObject({ ok: false, refusal: { key: 'services.client_not_found' } })
  const form = { grant_type: 'client_credentials', client_id: service.client.clientId, client_secret: SECRET }
  const token = await fetch(`${world.frontDoor.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  expect(token.status).toBe(401)
  expect(await world.token(service.client)).toEqual(expect.any(String))
})

test('the same asks work for the party that may send them', async () => {
  const session = await ask(
    await connectAs('directory', 'eu'),
    'sealpost.ask.eu.directory',
    openSessionAsk.command,
    login,
  )
  expect(session).toMatchObject({ ok: true })
  const changed = await ask(await connectAs('eu', 'eu'), 'sealpost.ask.directory.eu', changeClientAsk.command, change)
  expect(changed).toMatchObject({ ok: true })
})

test('a region and a front door without a login do not start, and say what to do', async () => {
  const needs = { clock: systemClock, ids: systemIds(), random: systemRandom, telemetry: quietTelemetry() }
  const without = (environment: Readonly<Record<string, string>>) => ({
    ...environment,
    NATS_KEYS: '',
    LISTEN_PORT: '0',
    INTERNAL_PORT: '0',
  })
  const starts = [
    startRegion(readSettings(regionSettings, without(world.environment.eu)), needs),
    startFrontDoor(readSettings(frontDoorSettings, without(world.environment.frontDoor)), needs),
  ]
  for (const start of starts) {
    await expect(start).rejects.toThrow('NATS_KEYS has no key for the NATS of eu')
    await expect(start).rejects.toThrow('bus:credentials')
    await expect(start).rejects.toThrow('ALLOW_ANONYMOUS_NATS=1')
  }
})

async function connectAs(party: 'directory' | 'eu' | 'us', region: 'eu' | 'us'): Promise<NatsConnection> {
  const { NATS_KEYS = '' } = world.environment[party === 'directory' ? 'frontDoor' : party]
  const seed =
    NATS_KEYS.split(',')
      .find((pair) => pair.startsWith(`${region}:`))
      ?.slice(region.length + 1) ?? ''
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed))
  const connection = await connect({
    servers: world.isolated.nats[region].url,
    inboxPrefix: `_INBOX.${party}`,
    authenticator,
    reconnect: false,
  })
  world.onEnd(() => connection.close())
  return connection
}

async function ask(connection: NatsConnection, subject: string, command: string, body: unknown): Promise<unknown> {
  const request = JSON.stringify({ command, id: randomUUID(), body, traceparent: null })
  const answer = await connection.request(subject, request, { timeout: 15_000 })
  return answer.json()
}
