import { closeAccount, type DeviceStore, keepAccess, openTellEnd, sessionCalls } from '@sealpost/session/worker'
import type { Full } from '@sealpost/web-app/serve'
import { runCommand, type Settings } from '@sealpost/web-app/worker'
import { commands } from './commands/index.ts'
import type { PortalContext } from './context.ts'
import { portalClient } from './portal-client.ts'
import { TOPICS } from './topic.ts'

export function openFull({ frontDoorUrl }: Settings, store: DeviceStore, changed: PortalContext['changed']): Full {
  const calls = sessionCalls(frontDoorUrl)
  const access = keepAccess(calls, 'company', store)
  const tellEnd = openTellEnd(access)
  const context: PortalContext = {
    userType: 'company',
    frontDoorUrl,
    calls,
    access,
    store,
    tellEnd,
    topics: TOPICS,
    changed,
    openClient: (uses) => portalClient({ ...uses, accessFor: access.accessFor }),
    complete(account) {
      account.ending.signal.addEventListener('abort', () => {
        context.serviceKey = null
      })
      return Promise.resolve(account)
    },
    open: null,
    pending: null,
    serviceKey: null,
  }
  store.onCleared(() => {
    closeAccount(context)
    changed('session')
  })
  tellEnd()
  return { run: (request) => runCommand(commands, context, request) }
}
