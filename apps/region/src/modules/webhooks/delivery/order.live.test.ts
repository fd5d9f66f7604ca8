import { openHooks, startTwoRegions, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let two: TwoRegions

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())

test('events are sent one by one, in order, each in its own POST [HOOK-19][HOOK-21]', async () => {
  const hooks = await openHooks(two)
  const hook = await hooks.hook()
  const ids = [...(await hooks.append({}, {}, {})), ...(await hooks.append(...Array.from({ length: 100 }, () => ({}))))]
  const received = await hook.receiver.take(ids.length)
  expect(received.map(({ eventId }) => eventId)).toEqual(ids)
  expect(new Set(received.map(({ method }) => method))).toEqual(new Set(['POST']))
  expect(received.map(({ json }) => json['event'])).toEqual(ids.map(() => 'connection_deleted'))
  expect(hook.receiver.mostAtOnce()).toBe(1)
  await hooks.close()
})
