import { CustomerClient, type Hint, memoryPins } from '@sealpost/sdk'
import { bodyOf, NO_FAULT, openWorld, sealTo, startFaultProxy } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const world = await openWorld()
const service = await world.service([])
const { person, connectionId } = await world.customer(service, [])
const proxy = await startFaultProxy(person.apiUrl)
world.onEnd(() => proxy.close())

let written = 0

async function write(): Promise<void> {
  written += 1
  const body = { body: await sealTo(person.user.keys.publicKey, 'Hello') }
  await bodyOf(service.data('POST', `/api/company-data/connections/${connectionId}/messages`, { body }), 201)
}

function open(): CustomerClient {
  const accessToken = async () => ({ token: person.token, apiUrl: proxy.url })
  return new CustomerClient({ accessToken, pins: memoryPins(), wait: async () => {} })
}

test('the SDK follows hints over a lost connection, and continues from a position of an earlier run', async () => {
  const heard: Hint[] = []
  const before = await lastHint()
  const ending = new AbortController()
  const following = (async () => {
    for await (const hint of open().hints({ signal: ending.signal })) heard.push(hint)
  })()
  // A stream begins with the hints after its opening.
  await expect
    .poll(async () => {
      await write()
      return heard.length
    })
    .toBeGreaterThan(0)
  proxy.turn({ kind: 'reset' })
  await write()
  proxy.turn(NO_FAULT)
  const seqs = () => heard.map(({ position }) => Number(/\d+$/.exec(position)?.[0]))
  const [first = 0] = seqs()
  const last = before + written
  await expect.poll(lastHint).toBe(last)
  await expect.poll(seqs).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index))
  expect(new Set(heard.map(({ kind, id }) => `${kind} ${id}`))).toEqual(new Set([`message_received ${connectionId}`]))
  ending.abort(new Error('enough'))
  await expect(following).rejects.toThrow('enough')

  const [earlier] = heard
  for await (const hint of open().hints(earlier === undefined ? {} : { after: earlier.position })) {
    expect(hint).toEqual(heard[1])
    break
  }
})

async function lastHint(): Promise<number> {
  const sql = 'select last_seq::int as last from devices.head where account_id = $1'
  const [head] = await world.rows<{ last: number }>(sql, [person.userId], 'us')
  return head?.last ?? 0
}
