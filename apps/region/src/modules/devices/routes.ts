import { listPushSubscriptions, openHintStream, refuse, subscribeToPush, unsubscribeFromPush } from '@sealpost/protocol'
import type { BindRoute } from '../../platform/bind-route.ts'
import type { Caller } from '../../platform/caller.ts'
import type { DevicesContext } from './context.ts'
import { listSubscriptions, locateDevice, subscribe, unsubscribe } from './push/index.ts'
import { type Hub, openStream } from './streams/index.ts'

export function bindDeviceRoutes(bind: BindRoute, context: DevicesContext, hub: Hub): void {
  bind({
    operation: openHintStream,
    handle({ call, caller }) {
      requirePerson(caller)
      return openStream(context, hub, caller, call.lastEventId)
    },
  })
  bindPush(bind, context)
}

interface Question {
  readonly caller: Caller
  readonly params: { readonly id: string }
}

function bindPush(bind: BindRoute, context: DevicesContext): void {
  const locate = ({ caller, params }: Question): Promise<string> => {
    requirePerson(caller)
    return locateDevice(context, caller.accountId, params.id)
  }
  bind({
    operation: subscribeToPush,
    locate,
    handle: ({ caller, located, body }) => subscribe(context, caller.accountId, located, body),
  })
  bind({
    operation: listPushSubscriptions,
    locate,
    handle: ({ caller, located, query }) => listSubscriptions(context, caller.accountId, located, query),
  })
  bind({
    operation: unsubscribeFromPush,
    locate,
    async handle({ caller, located, params }): Promise<undefined> {
      await unsubscribe(context, caller.accountId, located, params.subscriptionId)
    },
  })
}

/** Companies have a feed and webhooks, and no devices. */
function requirePerson({ kind }: Caller): void {
  if (kind !== 'person') throw refuse('company_connections.persons_only')
}
