import { once } from 'node:events'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { scaled } from '@sealpost/testkit'
import { afterEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './testing/server.ts'

/** Addresses of this machine, as far as a server can tell two strangers. */
const [STRANGER, OTHER] = ['127.0.0.1', '127.0.0.2']
const HALF = 'POST /oauth2/result HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n'

let api: TestServer
let peers: Socket[] = []

afterEach(async () => {
  for (const peer of peers) peer.destroy()
  peers = []
  await api.close()
})

test(
  '10,000 half-sent requests of one address: every call of another is answered',
  { timeout: scaled(120_000) },
  async () => {
    api = await startTestServer()
    const statuses: number[] = []
    for (let hundred = 0; hundred < 100; hundred += 1) {
      await Promise.all(Array.from({ length: 100 }, () => send(`${HALF}\r\n{`)))
      statuses.push(await callFrom(OTHER))
    }
    expect(statuses).toEqual(statuses.map(() => 200))
    const metrics = await api.telemetry.prometheus()
    expect(metrics).toMatch(/http_connections_dropped_total\S* 9488\n/)
  },
)

test('an address has so many connections and no more; the place of a closed one is free', async () => {
  api = await startTestServer({ sockets: { maxPerAddress: 2 } })
  const [first] = await Promise.all([send(''), send('')])
  const third = await send('')
  if (!third.socket.closed) await once(third.socket, 'close')
  expect(await callFrom(OTHER)).toBe(200)
  first.socket.destroy()
  await expect.poll(() => callFrom(STRANGER)).toBe(200)
})

test('a trusted proxy has no such limit; the addresses that it forwards have one for half-sent bodies', async () => {
  api = await startTestServer({ sockets: { maxPerAddress: 3 }, trustedProxies: ['127.0.0.0/8'] })
  const of = (address: string): string => `${HALF}X-Forwarded-For: ${address}\r\n\r\n{`
  const half = await Promise.all(Array.from({ length: 3 }, () => send(of('203.0.113.7'))))
  const fourth = await send(of('203.0.113.7'))
  await expect.poll(() => fourth.answer()).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close\r\n/is)
  const another = await send(of('203.0.113.8'))
  expect([...half, another].map(({ answer }) => answer())).toEqual(['', '', '', ''])
})

test('an IPv6 address counts with its /64, and an IPv4 address that is written as IPv6 as itself', async () => {
  api = await startTestServer({ sockets: { maxPerAddress: 1 }, trustedProxies: ['127.0.0.1'] })
  const from = async (address: string) => {
    const sent = await send(`${HALF}X-Forwarded-For: ${address}\r\n\r\n{`)
    return sent.answer
  }
  await from('2001:db8:1:2::1')
  const neighbour = await from('2001:db8:1:2:ffff::9')
  const stranger = await from('2001:db8:1:3::1')
  await from('::ffff:203.0.113.7')
  const mapped = await from('::ffff:203.0.113.8')
  await expect.poll(neighbour).toMatch(/^HTTP\/1\.1 503/)
  expect([stranger(), mapped()]).toEqual(['', ''])
})

test('a body without a verified token is waited for a short time only, also after a refusal', async () => {
  api = await startTestServer({ sockets: { unverifiedBodyMs: 300 } })
  const open = await send(`${HALF}\r\n{`)
  const refused = await send(`${HALF.replace('/oauth2/result', '/nowhere')}\r\n{`)
  await expect.poll(() => open.answer()).toMatch(/^HTTP\/1\.1 400 .*did not arrive in time/s)
  await expect.poll(() => refused.answer()).toMatch(/^HTTP\/1\.1 4\d\d /)
  await expect.poll(() => [open, refused].map(({ socket }) => socket.closed)).toEqual([true, true])
})

async function send(text: string) {
  let answer = ''
  const socket = connect({ port: portOf(api), host: STRANGER, localAddress: STRANGER })
  peers.push(socket)
  socket.on('error', () => {}).on('data', (chunk) => (answer += String(chunk)))
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  if (!socket.destroyed) socket.write(text)
  return { socket, answer: () => answer }
}

/** 0: no answer. */
function callFrom(localAddress: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const options = { host: STRANGER, port: portOf(api), path: '/api/open', localAddress, agent: false }
  get(options, (answer) => {
    answer.resume()
    resolve(answer.statusCode ?? 0)
  }).on('error', () => resolve(0))
  return promise
}

function portOf({ url }: TestServer): number {
  return Number(new URL(url).port)
}
