import { keepAccess, sessionCalls } from '@sealpost/session'
import type { Full } from '@sealpost/web-app/serve'
import { runCommand, type Settings } from '@sealpost/web-app/worker'
import { commands } from './commands/index.ts'
import type { PersonContext } from './context.ts'
import type { DeviceStore } from './device-store.ts'

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
  return { run: (request) => runCommand(commands, context, request) }
}
