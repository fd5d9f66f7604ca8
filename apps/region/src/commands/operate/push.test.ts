import { readVapidKey } from '@sealpost/push'
import { expect, test } from 'vitest'
import { makePushKey } from './push.ts'

test('the command prints a key that the setting takes, and its public part', async () => {
  const printed = await makePushKey.run({} as never, [], () => {})
  const [, key = ''] = /^VAPID_KEY=(\S+)$/m.exec(printed) ?? []
  expect(printed).toContain(readVapidKey(key).publicKey)
})
