import { CustomerClient, type Hint, memoryPins } from '@sealpost/sdk'
import { bodyOf, NO_FAULT, openWorld, sealTo, startFaultProxy } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const world = await openWorld()
const service = await world.service([])
const { person, connectionId } = await world.customer(service, [])
const proxy = await startFaultProxy(person.apiUrl)
world.onEnd(() => proxy.close())

async function write(): Promise<void> {
  const body = { body: await sealTo(person.user.keys.publicKey, 'Hello') }
  await bodyOf(service.data('POST', `/api/company-data/connections/${connectionId}/messages`, { body }), 201)
}

function open(): CustomerClient {
  const accessToken = async () => ({ token: person.token, apiUrl: proxy.url })
  return new CustomerClient({ accessToken, pins: memoryPins(), wait: async () => {} })
}

test('the SDK follows hints over a lost connection, and continues from a position of an earlier run', async () => {
  const heard: Hint[] = []
  const ending = new AbortController()
  const following = (async () => {
    for await (const hint of open().hints({ signal: ending.signal })) heard.push(hint)
  })()
  await expect
    .poll(async () => (await world.us.platform.telemetry.prometheus()).match(/^hint_streams\S* (\d+)/m)?.[1])
    .not.toBe('0')
  await write()
  await expect.poll(() => heard).toHaveLength(1)
  proxy.turn({ kind: 'reset' })
  await write()
  proxy.turn(NO_FAULT)
  await expect.poll(() => heard).toHaveLength(2)
  expect(heard.map(({ kind, id }) => ({ kind, id }))).toEqual(
    Array.from({ length: 2 }, () => ({ kind: 'message_received', id: connectionId })),
  )
  ending.abort(new Error('enough'))
  await expect(following).rejects.toThrow('enough')

  const [first] = heard
  for await (const { kind } of open().hints(first === undefined ? {} : { after: first.position })) {
    expect(kind).toBe('message_received')
    break
  }
})
