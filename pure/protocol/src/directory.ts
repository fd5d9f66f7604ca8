import Type, { type Static } from 'typebox'

/** What regions ask of the directory. Both ends read these schemas; credentials travel here and in no other message. */
const userType = Type.Enum(['person', 'company'])
const level = Type.Enum(['free', 'basic', 'pro', 'enterprise'])

export const putAccountAsk = {
  command: 'directory.put_account',
  body: Type.Object({ user_id: Type.String(), user_type: userType, region: Type.String(), level }),
  reply: Type.Object({}),
} as const

export const putClientAsk = {
  command: 'directory.put_client',
  body: Type.Object({
    client_id: Type.String(),
    kind: Type.Enum(['svc', 'acct', 'idw']),
    user_id: Type.String(),
    service_id: Type.Union([Type.String(), Type.Null()]),
    client_secret: Type.String(),
  }),
  reply: Type.Object({ epoch: Type.Integer() }),
} as const

export const raiseEpochAsk = {
  command: 'directory.raise_epoch',
  body: Type.Object({ client_id: Type.String(), user_id: Type.String() }),
  reply: Type.Object({ epoch: Type.Integer() }),
} as const

export const findHomeAsk = {
  command: 'directory.find_home',
  body: Type.Object({ client_id: Type.String() }),
  reply: Type.Object({ region: Type.Union([Type.String(), Type.Null()]) }),
} as const

export const listSigningKeysAsk = {
  command: 'directory.list_signing_keys',
  body: Type.Object({}),
  reply: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.String())) }),
} as const

export type PutAccountBody = Static<typeof putAccountAsk.body>
export type PutClientBody = Static<typeof putClientAsk.body>
