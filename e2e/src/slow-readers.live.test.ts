import { connect, type Socket } from 'node:net'
import { openWorld, type Person, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const PER_CALLER = 2
const world = await openWorld({
  // Three of four connections to the file store may be used for downloads.
  settings: { DOWNLOADS_CALLER: String(PER_CALLER), READER_WINDOW_SECONDS: '3', S3_SOCKETS: '4', S3_WAIT_MS: '1000' },
})
const [ana, ben] = [await world.person(), await world.person()]
/** Larger than the buffers of a connection. */
const scan = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(15_000_000, 'x')])
for (const person of [ana, ben]) expect(await store(person, scan)).toMatchObject({ status: 200 })

function store(person: Person, bytes: Buffer) {
  const file = `data:image/jpeg;base64,${bytes.toString('base64')}`
  const passport = {
    pages: [{ file }],
    name: 'A',
    document_number: 'P1',
    expiry_date: '2031-05-06',
    issuing_country: 'NL',
  }
  return person.put('passport', JSON.stringify(passport), [], { isPrivate: false, isClear: true })
}

function pathOf(person: Person): string {
  return `/api/contact-data/${person.field('passport')}/file`
}

/** A reader that asks for its file and takes nothing. */
async function stall(person: Person): Promise<Socket> {
  const { hostname, port } = new URL(person.apiUrl)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.write(`GET ${pathOf(person)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.token}\r\n\r\n`)
  await new Promise((resolve) => void socket.once('readable', resolve))
  return socket
}

test('a caller with unread downloads gets no further one, other callers do, and silent readers are ended', async () => {
  const silent = await Promise.all(Array.from({ length: PER_CALLER }, () => stall(ana)))
  const refused = await ana.calls('GET', pathOf(ana))
  expect(refused).toMatchObject({ status: 429, body: { error_key: 'rate.limited' } })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await ben.calls('GET', pathOf(ben))).status).toBe(200)
  expect((await store(ana, scan.subarray(0, 1000))).status).toBe(200)

  await expect
    .poll(async () => (await ana.calls('GET', pathOf(ana))).status, { timeout: scaled(20_000), interval: 500 })
    .toBe(200)
  for (const socket of silent) socket.destroy()
})

test('a download that finds no free connection to the file store is 503 with Retry-After, and uploads go on', async () => {
  await store(ana, scan)
  const silent = await Promise.all([stall(ana), stall(ana), stall(ben)])
  const refused = await ben.calls('GET', pathOf(ben))
  expect(refused).toMatchObject({ status: 503, body: { error_key: 'platform.busy' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await store(ben, scan.subarray(0, 1000))).status).toBe(200)
  for (const socket of silent) socket.destroy()
})
