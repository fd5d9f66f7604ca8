import Type from 'typebox'
import { PluginUseRow } from '../wire/plugin.ts'
import { area } from './entry.ts'

/** Plugins of a company account. */
export const pluginsErrors = area({
  'plugins.not_found': {
    status: 404,
    sentence: 'There is no such plugin',
    remedy: 'Compare the id with the list of plugins of this account.',
  },
  'plugins.url_invalid': {
    status: 400,
    sentence: 'The plugin address cannot be used',
    remedy:
      '`error` names the reason. Use https on port 443 with a public host name, without credentials, query or fragment.',
  },
  'plugins.body_invalid': {
    status: 400,
    sentence: 'The plugin has no address or an unusable token',
    remedy: 'Send `base_url` and, if the plugin requires one, a `token` of 1 to 4096 visible ASCII characters.',
  },
  'plugins.duplicate': {
    status: 409,
    sentence: 'This plugin already exists',
    remedy: 'Use the plugin in the list; change its token with PUT.',
  },
  'plugins.in_use': {
    status: 409,
    sentence: 'The plugin is still in use',
    remedy:
      'Remove it from everything in `in_use`, then delete it. A flow stays in use while one of its runs may still come to a ' +
      'step with the plugin: wait for such runs, or cancel them.',
    details: Type.Object({ in_use: Type.Array(PluginUseRow) }),
  },
  'plugins.builtin_unknown': {
    status: 404,
    sentence: 'There is no built-in plugin of this name',
    remedy: 'Use a key from `builtin` in the list of plugins.',
  },
  'plugins.builtin_token_locked': {
    status: 400,
    sentence: 'Built-in plugins take no token',
    remedy: 'Omit the token; a built-in plugin runs inside the platform.',
  },
})
