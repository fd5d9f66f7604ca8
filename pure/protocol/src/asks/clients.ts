import Type, { type Static } from 'typebox'
import { defineAsk } from '../ask.ts'
import { nullableText } from '../wire/scalars.ts'

const accountId = Type.String({ format: 'uuid' })
const kind = Type.Enum(['svc', 'acct', 'idw'])
const texts = Type.Array(Type.String())

/** A secret on its way to the one place that stores its hash; the id tells two secrets of one client apart. */
const secret = Type.Object({ id: accountId, value: Type.String() })
const nullableSecret = Type.Union([secret, Type.Null()])

const clientMembers = {
  client_id: Type.String(),
  kind,
  user_id: accountId,
  service_id: nullableText(),
  name: Type.String(),
  purpose: nullableText(),
  capabilities: texts,
  patterns: texts,
  redirect_uris: texts,
  is_confidential: Type.Boolean(),
  /** A sign-in app whose requests may be detached; a process of the release before does not say so. */
  allows_detached: Type.Optional(Type.Boolean()),
}

/**
 * A client as the directory stores it, except for its secret. The directory is the source of truth: it orders all
 * changes by `rev`, and the home region copies the answer unless it knows a higher `rev`.
 */
export const DirectoryClient = Type.Object({
  ...clientMembers,
  epoch: Type.Integer(),
  rev: Type.Integer(),
  /** Null for a public app. */
  secret_id: nullableText(),
  created_at: Type.Integer(),
})
export type DirectoryClient = Static<typeof DirectoryClient>

/** Asked again for the same client, the ask replaces the stored secret: the owner saw the newest one. */
export const putClientAsk = defineAsk({
  command: 'directory.put_client',
  idempotency: 'stored',
  body: Type.Object({
    ...clientMembers,
    secret: nullableSecret,
  }),
  reply: DirectoryClient,
})

/**
 * Absent members stay unchanged. A new secret ends all tokens issued before it. `least`: the highest `rev` the asker
 * has seen, so that a directory restored from a backup continues above it. `if_rev`: refused like a missing client when
 * the client has changed since.
 */
export const changeClientAsk = defineAsk({
  command: 'directory.change_client',
  idempotency: 'stored',
  body: Type.Object({
    client_id: Type.String(),
    user_id: accountId,
    name: Type.Optional(Type.String()),
    service_id: Type.Optional(nullableText()),
    capabilities: Type.Optional(texts),
    patterns: Type.Optional(texts),
    redirect_uris: Type.Optional(texts),
    allows_detached: Type.Optional(Type.Boolean()),
    secret: Type.Optional(secret),
    least: Type.Object({ rev: Type.Integer(), epoch: Type.Integer() }),
    if_rev: Type.Optional(Type.Integer()),
  }),
  reply: DirectoryClient,
})

/** A client that no longer exists is no error. */
export const removeClientAsk = defineAsk({
  command: 'directory.remove_client',
  idempotency: 'stored',
  body: Type.Object({ client_id: Type.String(), user_id: accountId }),
  reply: Type.Object({}),
})

/** The clients of the accounts that live in the asking region, ordered by id. */
export const listClientsAsk = defineAsk({
  command: 'directory.list_clients',
  idempotency: 'none',
  body: Type.Object({
    client_id: Type.Optional(Type.String()),
    service_id: Type.Optional(Type.String()),
    after: Type.Optional(Type.String()),
  }),
  reply: Type.Object({ clients: Type.Array(DirectoryClient), has_more: Type.Boolean() }),
})

export const raiseEpochAsk = defineAsk({
  command: 'directory.raise_epoch',
  idempotency: 'stored',
  body: Type.Object({ client_id: Type.String(), user_id: accountId }),
  reply: Type.Object({ epoch: Type.Integer() }),
})
