import Type, { type Static } from 'typebox'
import { defineAsk } from '../ask.ts'
import { PluginDescription } from '../wire/plugin-description.ts'
import { nullableText, Uuid } from '../wire/scalars.ts'

/**
 * Asks of the forwarder to the home region of a plugin's company; no other party may send them, and the forwarder may
 * send no others. The forwarder has verified the pass that names the company and the plugin.
 */
const askedBy = 'forwarder'
const named = { company_id: Uuid, plugin_id: Uuid } as const

/** The public keys that verify passes of this region: JSON Web Keys, as `/oauth2/jwks` publishes them. */
export const listPassKeysAsk = defineAsk({
  command: 'plugins.list_pass_keys',
  idempotency: 'none',
  askedBy,
  body: Type.Object({}),
  reply: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.String())) }),
})

/** Refused with `plugin.not_found` when the company has no such plugin. */
export const openPluginAsk = defineAsk({
  command: 'plugins.open_plugin',
  idempotency: 'none',
  askedBy,
  body: Type.Object(named),
  reply: Type.Object({
    /** Null for a built-in plugin, which the forwarder serves itself. */
    base_url: nullableText(),
    builtin_key: nullableText(),
    /** Sent to the plugin as its bearer token. */
    token: nullableText(),
    /** Of the stored description; null without one. */
    public_key: nullableText(),
  }),
})

/** Why a manifest was not stored. The portal shows a sentence for each. */
export const refreshErrors = [
  'address_refused',
  'unreachable',
  'timeout',
  'redirect',
  'status',
  'too_large',
  'malformed',
  'key_invalid',
] as const
export type RefreshError = (typeof refreshErrors)[number]

/** The outcome of fetching a manifest. A failure keeps the stored description. */
export const RefreshOutcome = Type.Union([
  Type.Object({ ok: Type.Literal(true), description: PluginDescription }),
  Type.Object({ ok: Type.Literal(false), error: Type.Enum([...refreshErrors]) }),
])
export type RefreshOutcome = Static<typeof RefreshOutcome>

/**
 * Stores a fetched description with the time of the refresh, or the last error. Refused with `plugin.not_found` when the
 * company has no such plugin. Answers the plugin as the company sees it, which is the answer of `POST /registry`.
 */
export const storeRefreshAsk = defineAsk({
  command: 'plugins.store_refresh',
  idempotency: 'stored',
  askedBy,
  body: Type.Object({ ...named, outcome: RefreshOutcome }),
  reply: Type.Object({ plugin: Type.Record(Type.String(), Type.Unknown()) }),
})
