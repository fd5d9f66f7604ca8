import { makeVapidKey, readVapidKey } from '@sealpost/push'
import { type OperatorCommand, UsageError } from './command.ts'

/** Every region may have its own key; a device subscribes with the key of the region that its person lives in. */
export const makePushKey: OperatorCommand = {
  takes: '',
  about: 'prints a new VAPID_KEY for push messages; with another key than before, devices must subscribe again',
  run(_region, args) {
    if (args.length > 0) throw new UsageError('it takes nothing')
    const key = makeVapidKey()
    return Promise.resolve(`VAPID_KEY=${key}\npublic key: ${readVapidKey(key).publicKey}`)
  },
}
