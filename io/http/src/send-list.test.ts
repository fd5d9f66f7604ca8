import { connect } from 'node:net'
import { openGates } from '@sealpost/testkit/open-gates'
import { afterAll, describe, expect, test } from 'vitest'
import { bindRoute } from './bind-route.ts'
import type { HttpServer } from './http-server.ts'
import { ListAnswer } from './list-answer.ts'
import { openServer } from './server.ts'
import { listThings, readOpen } from './testing/operations.ts'
import { startTestServer } from './testing/server.ts'
import { readXml } from './xml.ts'

const TEXT = 'ü<&>'.repeat(5000)
const PAGE_BYTES = 200_000

const api = await startTestServer()
await api.close()
const server: HttpServer = openServer({ ...api.server.options, pageBytes: PAGE_BYTES })
let respond: () => ListAnswer<Things>
bindRoute(server, openGates, { operation: listThings, handle: () => respond() })
bindRoute(server, openGates, { operation: readOpen, handle: () => ({ status: 'ok' }) })
const url = await server.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => server.close(1000))

type Thing = ReturnType<typeof thing>
interface Things {
  readonly total: number
  readonly items: Thing[]
}

function thing(count: number) {
  return { id: String(count), name: TEXT, count, note: null, values: { 'a:b': '<&>' }, undeclared: 'leak' }
}

/** A list of so many batches of two, and what was asked of it. */
function listOfBatches(batches: number, endsAtSize: boolean, onBatch: (number: number) => void = () => {}) {
  const asked = { batches: 0, written: 0 }
  const answer = new ListAnswer<Things>({
    member: 'items',
    endsAtSize,
    next() {
      if (asked.batches === batches) return Promise.resolve(null)
      asked.batches += 1
      onBatch(asked.batches)
      return Promise.resolve([thing(2 * asked.batches - 1), thing(2 * asked.batches)])
    },
    rest(written) {
      asked.written = written
      return Promise.resolve({ total: written })
    },
  })
  respond = () => answer
  return asked
}

const get = (accept = 'application/json') => fetch(`${url}/api/things`, { headers: { accept } })

describe('a page of a list', () => {
  test('has every item, the other members, and no member that the schema does not declare', async () => {
    listOfBatches(2, true)
    const { undeclared, ...first } = thing(1)
    const body: unknown = await (await get()).json()
    expect(body).toMatchObject({ total: 4, items: [first, { id: '2' }, { id: '3' }, { id: '4' }] })
    expect(JSON.stringify(body)).not.toContain(undeclared)
  })

  test('is the same in XML', async () => {
    listOfBatches(2, true)
    const json: unknown = await (await get()).json()
    listOfBatches(2, true)
    const xml = await get('application/xml')
    expect(xml.headers.get('content-type')).toContain('application/xml')
    expect(readXml(await xml.text(), listThings.success.body)).toEqual(json)
  })

  test('may be empty in both formats', async () => {
    listOfBatches(0, true)
    expect(await (await get()).json()).toEqual({ items: [], total: 0 })
    listOfBatches(0, false)
    expect(readXml(await (await get('application/xml')).text(), listThings.success.body)).toEqual({
      items: [],
      total: 0,
    })
  })

  test('ends at the size of a page, and the source learns how many items were written', async () => {
    const asked = listOfBatches(500, true)
    const text = await (await get()).text()
    expect(Buffer.byteLength(text)).toBeLessThan(PAGE_BYTES + 1000)
    expect(Buffer.byteLength(text)).toBeGreaterThan(PAGE_BYTES / 2)
    expect(asked.written).toBeGreaterThan(1)
    expect(JSON.parse(text)).toMatchObject({ total: asked.written })
  })

  test('has at least one item, however large', async () => {
    const asked = listOfBatches(1, true)
    const large = { ...thing(1), name: 'x'.repeat(PAGE_BYTES) }
    const { source } = respond()
    respond = () =>
      new ListAnswer({ ...source, next: async () => ((await source.next()) === null ? null : [large, large]) })
    expect(await (await get()).json()).toMatchObject({ total: 1, items: [{ id: '1' }] })
    expect(asked.written).toBe(1)
  })

  test('has every item where the whole was asked for', async () => {
    listOfBatches(50, false)
    expect(await (await get()).json()).toMatchObject({ total: 100, items: { length: 100 } })
  })

  test.each(['application/json', 'application/xml'])('lets other calls in while it is written: %s', async (accept) => {
    const others: Promise<unknown>[] = []
    let [isAnswered, answeredBefore] = [false, 0]
    listOfBatches(100, false, (number) => {
      if (number === 1) others.push(fetch(`${url}/api/open`).then(() => (isAnswered = true)))
      if (isAnswered && answeredBefore === 0) answeredBefore = number
    })
    await (await get(accept)).text()
    await Promise.all(others)
    expect(answeredBefore).toBeGreaterThan(0)
  })

  test('is made at the speed of its reader', async () => {
    const asked = listOfBatches(5000, false)
    const { hostname, port } = new URL(url)
    const reader = connect({ host: hostname, port: Number(port) })
    reader.pause()
    reader.write('GET /api/things HTTP/1.1\r\nHost: x\r\n\r\n')
    let before = -1
    // The buffers of both sides are full when nothing more is asked for between two looks.
    await expect
      .poll(
        () => {
          const isStill = asked.batches > 0 && asked.batches === before
          before = asked.batches
          return isStill
        },
        { interval: 300 },
      )
      .toBe(true)
    expect(asked.batches).toBeLessThan(2500)
    reader.destroy()
  })

  test('a source that fails before the first item is a refusal', async () => {
    respond = () =>
      new ListAnswer({
        member: 'items',
        endsAtSize: false,
        next: () => Promise.reject(new Error('planted')),
        rest: () => Promise.resolve({ total: 0 }),
      })
    expect((await get()).status).toBe(500)
  })

  test('a source that fails later cuts the answer and is in the log', async () => {
    listOfBatches(200, false, (number) => {
      if (number === 100) throw new Error('planted later')
    })
    await expect(get().then((response) => response.text())).rejects.toThrow()
    expect(api.telemetry.lines()).toContainEqual(expect.objectContaining({ msg: 'an answer was cut' }))
  })
})
