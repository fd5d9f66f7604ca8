import { keepAccess, sessionCalls } from '@sealpost/session'
import { commands } from './commands/index.ts'
import type { PersonContext } from './context.ts'
import type { DeviceStore } from './device-store.ts'
import { workerFailure } from './failure-of.ts'
import type { Outcome, Request, Settings } from './messages.ts'

/** Runs commands, with the SDK and the cryptography behind them. */
export interface Full {
  run(request: Request): Promise<Outcome>
}

export function openFull({ frontDoorUrl }: Settings, store: DeviceStore, changed: PersonContext['changed']): Full {
  const calls = sessionCalls(frontDoorUrl)
  const context: PersonContext = {
    frontDoorUrl,
    calls,
    access: keepAccess(calls, 'person'),
    store,
    changed,
    open: null,
    pending: null,
    consent: null,
  }
  return {
    async run({ name, input }) {
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page's `call` has checked the input against the name
        const command = commands[name] as (context: PersonContext, ...given: readonly unknown[]) => Promise<unknown>
        return { value: await command(context, ...input) }
      } catch (error) {
        return { failure: workerFailure(error) }
      }
    },
  }
}
