import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { events, idsOf } from '../testing/webhooks.ts'

const world = await openWorld()
const service = await world.service()

test('events are sent one by one, in order, each in its own POST [HOOK-19][HOOK-21]', async () => {
  const hook = await service.webhook()
  const ids = [...(await service.append({}, {}, {})), ...(await service.append(...events(100)))]
  const received = await hook.receiver.take(ids.length)
  expect(idsOf(received)).toEqual(ids)
  expect(new Set(received.map(({ method }) => method))).toEqual(new Set(['POST']))
  expect(received.map(({ json }) => json['event'])).toEqual(ids.map(() => 'connection_deleted'))
  expect(hook.receiver.mostAtOnce()).toBe(1)
})
