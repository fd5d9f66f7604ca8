import { type Bus, DIRECTORY } from '@sealpost/bus'
import { putAccountAsk } from '@sealpost/protocol'
import type { AccountDirectory } from './directory.ts'

export function accountDirectory(bus: Bus): AccountDirectory {
  return {
    async putAccount({ userId, userType, region, level }) {
      await bus.ask(putAccountAsk, {
        to: DIRECTORY,
        // Region and level are part of what is asked for, so a later change is another ask.
        id: `put_account:${userId}:${region}:${level}`,
        body: { user_id: userId, user_type: userType, region, level },
      })
    },
  }
}
