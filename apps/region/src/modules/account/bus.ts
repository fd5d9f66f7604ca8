import { type Bus, DIRECTORY } from '@sealpost/bus'
import type { Ids } from '@sealpost/kernel'
import { putAccountAsk } from '@sealpost/protocol'
import type { AccountDirectory } from './directory.ts'

export function accountDirectory(bus: Bus, ids: Ids): AccountDirectory {
  return {
    async putAccount({ userId, userType, region, level }) {
      await bus.ask(putAccountAsk, {
        to: DIRECTORY,
        // Putting is the same however often it is done, so each act may be an ask of its own; an id made of what is put
        // would answer a change back with the outcome of the first.
        id: `put_account:${userId}:${ids.uuid()}`,
        body: { user_id: userId, user_type: userType, region, level },
      })
    },
  }
}
