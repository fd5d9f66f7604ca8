import Type from 'typebox'
import { defineOperation, type Operation } from '../operation.ts'
import { EXAMPLE_TEXTS, Uuid } from '../wire/scalars.ts'

/** The largest question and the largest reply, as characters of a wrapper. */
export const PLUGIN_MESSAGE_CHARACTERS = 64 * 1024
/** A question with the escapes of its quotes, the pass and the names of the members. */
const BODY_BYTES = PLUGIN_MESSAGE_CHARACTERS + 16 * 1024

// Checked by the handler: each has a key of its own in the error catalog.
const pass = Type.Unsafe<unknown>({ description: 'The pass, as `plugin-pass` or `registry-pass` answered it.' })
const pluginId = Type.Unsafe<unknown>({ ...Uuid, description: 'One of the plugins that the pass is for.' })

const common = {
  method: 'POST',
  document: 'forwarder',
  callers: [],
  rate: 'data',
  jsonOnly: true,
  ignoresPause: true,
} as const

const refusals = [
  'plugin.pass_invalid',
  'plugin.not_in_pass',
  'plugin.not_found',
  'plugin.busy',
  'plugin.rate_limited',
  'plugin.unavailable',
] as const

export const callPlugin = defineOperation({
  ...common,
  id: 'forwarder.call_plugin',
  path: '/call',
  summary: 'Carries a sealed question to a plugin',
  description:
    'The question is sealed to the key of the plugin and the reply to `reply_key` of the question: the forwarder can read neither. Send no token and no cookie; the pass is in the body.',
  maxBodyBytes: BODY_BYTES,
  body: Type.Object({
    pass: Type.Optional(pass),
    plugin_id: Type.Optional(pluginId),
    request: Type.Optional(
      Type.Unsafe<unknown>({
        description: 'The question: a wrapper string of at most 65,536 characters.',
        examples: [EXAMPLE_TEXTS.wrapper],
      }),
    ),
  }),
  success: {
    status: 200,
    about: 'The reply of the plugin',
    body: Type.Object({ reply: Type.String({ description: 'A wrapper string.', examples: [EXAMPLE_TEXTS.wrapper] }) }),
  },
  errors: [...refusals, 'plugin.request_invalid', 'plugin.key_changed', 'plugin.not_responding'],
})

export const refreshPlugin = defineOperation({
  ...common,
  id: 'forwarder.refresh_plugin',
  path: '/registry',
  summary: 'Fetches the description of a plugin',
  description: 'Needs a registry pass. A description that cannot be fetched shows as `last_error` of the plugin.',
  maxBodyBytes: 16 * 1024,
  body: Type.Object({ pass: Type.Optional(pass), plugin_id: Type.Optional(pluginId) }),
  success: {
    status: 200,
    about: 'The plugin as its company sees it',
    body: Type.Object({
      plugin: Type.Object({}, { additionalProperties: true, description: 'As in `GET /api/account/plugins`.' }),
    }),
  },
  errors: refusals,
})

/** The routes of the forwarder, which is no region: they are not in `allOperations`. */
export const forwarderOperations: readonly Operation[] = [callPlugin, refreshPlugin]
