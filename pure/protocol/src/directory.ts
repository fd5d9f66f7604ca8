import Type from 'typebox'
import { defineAsk } from './ask.ts'

/** Asks that regions send to the directory. Credentials travel here and in no stored message. */
const accountId = Type.String({ format: 'uuid' })

export const findHomeAsk = defineAsk({
  command: 'directory.find_home',
  idempotency: 'none',
  body: Type.Object({
    user_id: Type.Union([accountId, Type.Null()]),
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
