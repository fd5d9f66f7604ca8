import {
  changePlugin as changePluginOperation,
  createPlugin as createPluginOperation,
  createRegistryPass,
  deletePlugin as deletePluginOperation,
  enableBuiltinPlugin,
  listPlugins as listPluginsOperation,
} from '@sealpost/protocol'
import type { BindRoute } from '../../platform/bind-route.ts'
import type { Caller } from '../../platform/caller.ts'
import type { PluginsContext } from './context.ts'
import { changePlugin } from './operations/change-plugin.ts'
import { type Actor, createPlugin, enableBuiltin } from './operations/create-plugin.ts'
import { deletePlugin } from './operations/delete-plugin.ts'
import { listPlugins, locatePlugin } from './operations/read-plugins.ts'
import { signPass } from './operations/sign-pass.ts'

export function bindPluginRoutes(bind: BindRoute, plugins: PluginsContext): void {
  bind({
    operation: listPluginsOperation,
    handle: ({ caller, query }) => listPlugins(plugins, caller.accountId, query),
  })
  bind({
    operation: createPluginOperation,
    handle: ({ caller, body }) => createPlugin(plugins, actorOf(caller), body),
  })
  bind({
    operation: enableBuiltinPlugin,
    handle: ({ caller, params }) => enableBuiltin(plugins, actorOf(caller), params.key),
  })
  bind({
    operation: changePluginOperation,
    locate: ({ caller, params }) => locatePlugin(plugins, caller.accountId, params.id),
    handle: ({ caller, located, body }) => changePlugin(plugins, caller.userId, located, body),
  })
  bind({
    operation: createRegistryPass,
    locate: ({ caller, params }) => locatePlugin(plugins, caller.accountId, params.id),
    handle: ({ located: { companyId, pluginId } }) =>
      signPass(plugins, { kind: 'registry', companyId, pluginIds: [pluginId] }),
  })
  bind({
    operation: deletePluginOperation,
    locate: ({ caller, params }) => locatePlugin(plugins, caller.accountId, params.id),
    async handle({ caller, located }): Promise<undefined> {
      await deletePlugin(plugins, caller.userId, located)
    },
  })
}

function actorOf({ accountId, userId }: Caller): Actor {
  return { companyId: accountId, actorId: userId }
}
