import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { openWorld } from '@sealpost/testkit'
import { afterEach, describe, expect, test } from 'vitest'

const MIB = 1_048_576
const WHOAMI = '/api/company-data/whoami'

const world = await openWorld()
const service = await world.service([{ slug: 'name' }])
const other = await world.service([{ slug: 'name' }])
const person = await world.person({ region: 'eu' })
const open: Socket[] = []

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

describe('calls in flight', () => {
  test('of one caller are limited, and those of another are served', async () => {
    const { url, metric } = await another({ INFLIGHT_CALLER: '2' })
    const held = [await hold(url, 100), await hold(url, 100)]
    await expect.poll(() => metric('http_inflight_calls')).toBe(2)
    const refused = await person.calls('GET', '/api/account', { url })
    expect(refused).toMatchObject({ status: 429, body: { error_key: 'rate.limited' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await service.data('GET', WHOAMI, { url })).status).toBe(200)
    held[0]?.destroy()
    await expect.poll(async () => (await person.calls('GET', '/api/account', { url })).status).toBe(200)
  })

  test('are counted per service, client and user: one does not use up the calls of another', async () => {
    const { url } = await another({ INFLIGHT_CALLER: '1' })
    await hold(url, 100)
    const statuses = await Promise.all([
      service.data('GET', WHOAMI, { url }),
      other.data('GET', WHOAMI, { url }),
      service.company.portal('GET', '/api/account', { url }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

describe('bodies in flight', () => {
  test('of one caller have a budget, counted by their declared size', async () => {
    const { url, metric } = await another({ INFLIGHT_BODY_MB: '64' })
    await hold(url, 40 * MIB)
    await expect.poll(() => metric('http_inflight_body_bytes')).toBe(40 * MIB)
    expect(await answerTo(url, 40 * MIB)).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 1\r\n[^]*"rate\.limited"/i)
  })

  test('of all callers have a budget: 503 until one has ended', async () => {
    const { url, metric } = await another({ INFLIGHT_PROCESS_MB: '64' })
    const held = await hold(url, 64 * MIB)
    await expect.poll(() => metric('http_inflight_body_bytes')).toBe(64 * MIB)
    expect(await answerTo(url, 1000)).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*"platform\.busy"/i)
    held.destroy()
    await expect.poll(() => metric('http_inflight_body_bytes')).toBe(0)
    expect((await person.calls('GET', '/api/account', { url })).status).toBe(200)
  })
})

async function another(settings: Readonly<Record<string, string>>) {
  const { url, internalUrl } = await world.another('eu', settings)
  return {
    url: url ?? '',
    metric: async (name: string): Promise<number> => {
      const text = await (await fetch(`${internalUrl}/internal/metrics`)).text()
      return Number(new RegExp(`^${name}\\S* (\\d+)$`, 'm').exec(text)?.[1])
    },
  }
}

/** A call of the person whose body does not arrive. */
async function hold(url: string, bytes: number): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const fields = await person.calls('GET', '/api/contact-fields', { url: world.eu.url ?? '' })
  const [field] = fields.body['items'] as readonly { id: string }[]
  const socket = connect(Number(port), hostname)
  open.push(socket.on('error', () => {}))
  await once(socket, 'connect')
  const head = ['Host: x', `Authorization: Bearer ${person.token}`, 'Content-Type: application/json']
  socket.write(
    `PUT /api/contact-data/${field?.id} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${bytes}\r\n\r\n{`,
  )
  return socket
}

async function answerTo(url: string, bytes: number): Promise<string> {
  const socket = await hold(url, bytes)
  let answer = ''
  socket.on('data', (data) => (answer += String(data)))
  await expect.poll(() => answer).toContain('error_key')
  return answer
}
