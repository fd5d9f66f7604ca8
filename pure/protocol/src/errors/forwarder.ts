import Type from 'typebox'
import { keyRollovers } from '../wire/plugin-description.ts'
import { area } from './entry.ts'

/** Answers of the plugin forwarder, which carries sealed questions to plugins. */
export const forwarderErrors = area({
  'plugin.pass_invalid': {
    status: 401,
    sentence: 'The pass is invalid or has expired',
    remedy: 'Get a new pass once and repeat the call; a pass lives 10 minutes.',
  },
  'plugin.not_in_pass': {
    status: 403,
    sentence: 'The pass does not cover this plugin',
    remedy: 'Get a new pass once for the step you are on and repeat the call.',
  },
  'plugin.key_changed': {
    status: 409,
    sentence: 'The plugin has a new key',
    remedy:
      'If `key_rollovers` lead from the key that you know to `public_key`, or the person confirms it, seal the question once more, to it, and repeat the call.',
    details: Type.Object({ public_key: Type.String(), key_rollovers: Type.Optional(keyRollovers) }),
  },
  'plugin.request_invalid': {
    status: 400,
    sentence: 'The call carries no sealed question',
    remedy: 'Send `request` as a wrapper string sealed to the key of the plugin.',
  },
  'plugin.not_found': {
    status: 404,
    sentence: 'The plugin does not exist',
    remedy: 'Read the step again; the company may have removed the plugin.',
  },
  'plugin.busy': {
    status: 429,
    sentence: 'The plugin has reached its limit of concurrent calls',
    remedy: 'Repeat the call after a moment.',
  },
  'plugin.rate_limited': {
    status: 429,
    sentence: 'The plugin was called too often in this minute',
    remedy: 'Wait the seconds in `Retry-After`; call less often while the user types.',
  },
  'plugin.not_responding': {
    status: 502,
    sentence: 'The plugin did not give a usable answer',
    remedy: 'Try again later; if it persists, the author of the plugin has to fix it.',
  },
  'plugin.unavailable': {
    status: 503,
    sentence: 'The forwarder cannot answer right now',
    remedy: 'Repeat the call after a moment.',
  },
})
