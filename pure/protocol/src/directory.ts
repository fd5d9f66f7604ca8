import Type from 'typebox'
import { defineAsk } from './ask.ts'

/** What regions ask of the directory. Credentials travel here and in no stored message. */
const level = Type.Enum(['free', 'basic', 'pro', 'enterprise'])
const accountId = Type.String({ format: 'uuid' })

export const putAccountAsk = defineAsk({
  command: 'directory.put_account',
  idempotency: 'stored',
  body: Type.Object({
    user_id: accountId,
    user_type: Type.Enum(['person', 'company']),
    region: Type.String(),
    level,
  }),
  reply: Type.Object({}),
})

export const putClientAsk = defineAsk({
  command: 'directory.put_client',
  idempotency: 'stored',
  body: Type.Object({
    client_id: Type.String(),
    kind: Type.Enum(['svc', 'acct', 'idw']),
    user_id: accountId,
    service_id: Type.Union([Type.String(), Type.Null()]),
    client_secret: Type.String(),
  }),
  reply: Type.Object({ epoch: Type.Integer() }),
})

export const raiseEpochAsk = defineAsk({
  command: 'directory.raise_epoch',
  idempotency: 'stored',
  body: Type.Object({ client_id: Type.String(), user_id: accountId }),
  reply: Type.Object({ epoch: Type.Integer() }),
})

export const findHomeAsk = defineAsk({
  command: 'directory.find_home',
  idempotency: 'none',
  body: Type.Object({ client_id: Type.String() }),
  reply: Type.Object({ region: Type.Union([Type.String(), Type.Null()]) }),
})

export const listSigningKeysAsk = defineAsk({
  command: 'directory.list_signing_keys',
  idempotency: 'none',
  body: Type.Object({}),
  reply: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.String())) }),
})
