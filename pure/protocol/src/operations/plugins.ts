import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { checkedByRule, requiredByRule } from '../wire/checked-by-rule.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { builtinPlugins, passMembers, PluginRecord } from '../wire/plugin.ts'
import { nullableText } from '../wire/scalars.ts'

const pluginParams = Type.Object({ id: Type.String({ maxLength: 255, description: 'The id, as the list shows it.' }) })
const builtinKeys = builtinPlugins.map(({ key }) => key)

const PluginWithPass = Type.Object(
  {
    plugin: PluginRecord,
    pass: nullableText({
      description: 'A pass to fetch the description with; null in the answer to a repeated call: ask for another.',
    }),
    forwarder_url: passMembers.forwarder_url,
  },
  { title: 'PluginWithPass' },
)

const builtin = Type.Array(
  Type.Object(
    { key: Type.Enum(builtinKeys), name: Type.String(), enabled: Type.Boolean() },
    { title: 'BuiltinPlugin' },
  ),
)

export const listPlugins = defineOperation({
  id: 'plugins.list',
  method: 'GET',
  path: '/api/account/plugins',
  document: 'account',
  summary: 'The plugins of this account',
  callers: ['portal'],
  rate: 'data',
  query: Type.Object(pageQuery),
  success: {
    status: 200,
    about: 'The plugins, oldest first, with masked tokens, and the built-in plugins of the platform',
    body: Type.Object({ ...pageOf(PluginRecord).properties, builtin }),
  },
  errors: [],
})

export const createPlugin = defineOperation({
  id: 'plugins.create',
  method: 'POST',
  path: '/api/account/plugins',
  document: 'account',
  summary: 'Add a plugin by its address',
  description: 'Its description is fetched by `POST {forwarder_url}/registry` with the pass of the answer.',
  callers: ['portal'],
  rate: 'data',
  creates: true,
  onceOnly: ['pass'],
  body: Type.Object({
    base_url: requiredByRule(
      Type.String({
        maxLength: 2048,
        description: 'https on port 443, with a public host, without credentials, query and fragment.',
        examples: ['https://plugin.example.com'],
      }),
    ),
    token: Type.Optional(
      checkedByRule(
        nullableText({
          minLength: 1,
          maxLength: 4096,
          description: 'Sent to the plugin as bearer token: visible ASCII; absent or null for none.',
          examples: ['t0ken'],
        }),
      ),
    ),
  }),
  success: { status: 201, about: 'The plugin, with a registry pass', body: PluginWithPass },
  errors: ['plugins.body_invalid', 'plugins.url_invalid', 'plugins.duplicate'],
})

export const enableBuiltinPlugin = defineOperation({
  id: 'plugins.enable_builtin',
  method: 'POST',
  path: '/api/account/plugins/builtin/{key}',
  document: 'account',
  summary: 'Switch on a built-in plugin',
  description: 'It is switched off by deleting the plugin of the answer.',
  callers: ['portal'],
  rate: 'data',
  creates: true,
  onceOnly: ['pass'],
  params: Type.Object({ key: Type.String({ maxLength: 255, description: 'A key of `builtin` in the list.' }) }),
  success: { status: 201, about: 'The plugin, with a registry pass', body: PluginWithPass },
  errors: ['plugins.builtin_unknown', 'plugins.duplicate'],
})

export const changePlugin = defineOperation({
  id: 'plugins.change',
  method: 'PUT',
  path: '/api/account/plugins/{id}',
  document: 'account',
  summary: 'Replace or clear the token of a plugin',
  callers: ['portal'],
  rate: 'data',
  params: pluginParams,
  body: Type.Object({
    token: requiredByRule(
      nullableText({
        maxLength: 4096,
        description: 'Visible ASCII; an empty text keeps the stored token, null clears it.',
        examples: ['t0ken'],
      }),
    ),
  }),
  success: { status: 200, about: 'The plugin as it is now', body: PluginRecord },
  errors: ['plugins.not_found', 'plugins.body_invalid', 'plugins.builtin_token_locked'],
})

export const createRegistryPass = defineOperation({
  id: 'plugins.create_registry_pass',
  method: 'POST',
  path: '/api/account/plugins/{id}/registry-pass',
  document: 'account',
  summary: 'A pass to refresh the description of a plugin',
  description: 'Send it to `POST {forwarder_url}/registry` with the id of the plugin, within 10 minutes.',
  callers: ['portal'],
  rate: 'data',
  params: pluginParams,
  success: { status: 200, about: 'The pass', body: Type.Object(passMembers, { title: 'RegistryPass' }) },
  errors: ['plugins.not_found'],
})

export const deletePlugin = defineOperation({
  id: 'plugins.delete',
  method: 'DELETE',
  path: '/api/account/plugins/{id}',
  document: 'account',
  summary: 'Delete a plugin, or switch a built-in one off',
  callers: ['portal'],
  rate: 'data',
  params: pluginParams,
  success: { status: 204, about: 'The plugin is deleted' },
  errors: ['plugins.not_found', 'plugins.in_use'],
})
