import Type from 'typebox'
import { defineAsk } from '../ask.ts'
import { requestToken } from '../operations/oauth.ts'

/** An operator changed the switch of the asking region; the directory publishes it to all other regions. */
export const flagRegionAsk = defineAsk({
  command: 'directory.flag_region',
  idempotency: 'stored',
  body: Type.Object({ out_of_order: Type.Boolean() }),
  reply: Type.Object({}),
})

/** The token endpoint as a region binds it: the front door's engine validates the form in both places. */
export const relayedToken = { ...requestToken, body: Type.Record(Type.String(), Type.String()) } as const

/**
 * A token request that arrived at a region, unchanged. It holds a secret, so neither it nor its outcome is stored: it
 * runs anew each time.
 */
export const relayTokenAsk = defineAsk({
  command: 'oauth.relay_token',
  idempotency: 'none',
  body: Type.Object({
    form: Type.Record(Type.String(), Type.String()),
    /** Set when the client authenticates by HTTP Basic. */
    authorization: Type.Union([Type.String(), Type.Null()]),
  }),
  reply: Type.Object({
    status: Type.Integer(),
    body: Type.Record(Type.String(), Type.Unknown()),
    retry_after_seconds: Type.Union([Type.Integer(), Type.Null()]),
  }),
})

export const findHomeAsk = defineAsk({
  command: 'directory.find_home',
  idempotency: 'none',
  body: Type.Object({
    user_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
    client_id: Type.Union([Type.String(), Type.Null()]),
  }),
  reply: Type.Object({ region: Type.Union([Type.String(), Type.Null()]) }),
})

export const listSigningKeysAsk = defineAsk({
  command: 'directory.list_signing_keys',
  idempotency: 'none',
  body: Type.Object({}),
  reply: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.String())) }),
})
