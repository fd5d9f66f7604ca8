import { expect, test } from 'vitest'
import { CLOCK, SECRET, signDelivery } from '../../test/signed-delivery.ts'
import { openReceiver } from './receiver.ts'

const EVENT = { id: 'body-1', event: 'connection_deleted', share_code: 'MARAXX' }
const OTHERS = Array.from({ length: 9 }, (_, index) => `another secret ${index}`)

async function statusFor(secrets: readonly string[]): Promise<number> {
  const receiver = await openReceiver({ secrets: [SECRET], clock: CLOCK, handle: () => {}, onError: () => {} })
  return (await receiver.receive(await signDelivery(EVENT, { secrets }))).status
}

test('during rotations a receiver may have any of the ten secrets that sign', async () => {
  expect(await statusFor([SECRET, ...OTHERS])).toBe(200)
  expect(await statusFor([...OTHERS, SECRET])).toBe(200)
  expect(await statusFor(OTHERS)).toBe(401)
})
