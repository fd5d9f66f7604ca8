import { CustomerClient } from '@sealpost/sdk'
import { closeAccount, type DeviceStore, keepAccess, openTellEnd, sessionCalls } from '@sealpost/session/worker'
import type { Full } from '@sealpost/web-app/serve'
import { runCommand, type Settings } from '@sealpost/web-app/worker'
import { commands } from './commands/index.ts'
import { completeAccount } from './complete-account.ts'
import type { PersonContext } from './context.ts'
import { TOPICS } from './topic.ts'

export function openFull({ frontDoorUrl }: Settings, store: DeviceStore, changed: PersonContext['changed']): Full {
  const calls = sessionCalls(frontDoorUrl)
  const access = keepAccess(calls, 'person', store)
  const tellEnd = openTellEnd(access)
  const context: PersonContext = {
    userType: 'person',
    frontDoorUrl,
    calls,
    access,
    store,
    tellEnd,
    topics: TOPICS,
    changed,
    openClient: ({ accessToken, pins, key }) => {
      const client: CustomerClient = new CustomerClient({ accessToken, pins: pins(() => client.me()), key })
      return client
    },
    complete: (account, key) => completeAccount(context, account, key),
    open: null,
    pending: null,
    consent: null,
  }
  store.onCleared(() => {
    closeAccount(context)
    changed('session')
  })
  tellEnd()
  return { run: (request) => runCommand(commands, context, request) }
}
