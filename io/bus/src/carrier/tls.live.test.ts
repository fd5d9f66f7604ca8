import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { type RecordingTelemetry, recordingTelemetry } from '@sealpost/telemetry'
import { createBusLogins, type PrivateEngine, startPrivateNats, waitUntil } from '@sealpost/testkit/engines'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Certified, createAuthority, createServerCertificate } from '../credentials/certificates.ts'
import { tlsConfig } from '../credentials/server-config.ts'
import { type NatsServer, parseParty } from '../parties.ts'
import type { Carrier } from './carrier.ts'
import { openNatsCarrier } from './nats.ts'

const EU = parseParty('eu')
const WAIT_MS = 20_000
const BUSY_MS = 2500
const logins = createBusLogins(['eu'])
const key = logins.key(EU, EU)
const folder = mkdtempSync(join(tmpdir(), 'sealpost-tls-'))
const servers: PrivateEngine[] = []
const carriers: Carrier[] = []
let authority: Certified
let stranger: Certified

beforeAll(async () => {
  authority = await createAuthority(Date.now())
  stranger = await createAuthority(Date.now())
})
afterAll(async () => {
  await Promise.all(carriers.map((carrier) => carrier.close()))
  await Promise.all(servers.map((server) => server.remove()))
  rmSync(folder, { recursive: true })
})

async function startTlsServer(hosts: readonly string[], nowMs = Date.now()): Promise<string> {
  const { certificate, key: privateKey } = await createServerCertificate(authority, hosts, nowMs)
  const name = join(folder, String(servers.length))
  writeFileSync(`${name}.crt`, certificate)
  writeFileSync(`${name}.key`, privateKey.reveal())
  const lines = [tlsConfig(`${name}.crt`, `${name}.key`)]
  const server = await startPrivateNats({ account: logins.server(EU), lines, hasTls: true })
  servers.push(server)
  return server.url.replace('nats://', 'tls://')
}

function open(server: NatsServer): { readonly carrier: Carrier; readonly telemetry: RecordingTelemetry } {
  const telemetry = recordingTelemetry()
  const carrier = openNatsCarrier({ server, self: EU, region: EU, log: telemetry.log })
  carriers.push(carrier)
  return { carrier, telemetry }
}

async function refusalOf(server: NatsServer): Promise<string> {
  const { carrier, telemetry } = open(server)
  await waitUntil('a connection is refused', WAIT_MS, () => telemetry.text().includes('NATS cannot be reached'))
  expect(carrier.isConnected()).toBe(false)
  await carrier.close()
  return telemetry.text()
}

test('parties that trust the authority connect, by address and by name', async () => {
  const url = await startTlsServer(['127.0.0.1', 'localhost'])
  for (const one of [url, url.replace('127.0.0.1', 'localhost')]) {
    const { carrier } = open({ servers: [one], key, ca: authority.certificate })
    expect(await carrier.connected(WAIT_MS)).toBe(true)
  }
})

test('a server whose certificate another authority signed is refused, and so is one that no trusted authority did', async () => {
  const url = await startTlsServer(['127.0.0.1'])
  expect(await refusalOf({ servers: [url], key, ca: stranger.certificate })).toContain('unable to verify')
  expect(await refusalOf({ servers: [url], key })).toContain('unable to verify')
})

test('a certificate for another host is refused, also where the address is an IP address', async () => {
  const url = await startTlsServer(['localhost', 'nats.example.com'])
  expect(await refusalOf({ servers: [url], key, ca: authority.certificate })).toContain('127.0.0.1')
})

test('a party that is busy for longer than the two seconds of NATS still finishes its handshake', async () => {
  const { hostname, port } = new URL(await startTlsServer(['localhost']))
  const plain = createConnection({ host: hostname, port: Number(port) })
  await once(plain, 'data')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
  const socket = connectTls({ socket: plain, ca: authority.certificate })
  await once(socket, 'secureConnect')
  expect(socket.authorized).toBe(true)
  socket.destroy()
})

test('an expired certificate is refused', async () => {
  const url = await startTlsServer(['127.0.0.1'], Date.now() - 500 * 86_400_000)
  expect(await refusalOf({ servers: [url], key, ca: authority.certificate })).toContain('expired')
})

test('an address with tls:// is never used without TLS', async () => {
  const plain = await startPrivateNats({ account: logins.server(EU) })
  servers.push(plain)
  const url = plain.url.replace('nats://', 'tls://')
  expect(await refusalOf({ servers: [url], key, ca: authority.certificate })).toContain("does not support 'tls'")
})
