import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { nullableText, Timestamp, Uuid } from '../wire/scalars.ts'

/** Only the owner of an account reaches its sessions, never a delegate or a client. */
const owner = { document: 'account', callers: ['portal', 'person'] } as const

const Session = Type.Object(
  {
    id: Uuid,
    app: Type.Enum(['person_app', 'portal_web']),
    device_name: nullableText({
      description: 'The name of its trusted device, else the user agent of its login; null when neither is known.',
    }),
    address: nullableText({
      description: 'The network of its last use, an IPv4 /24 or an IPv6 /48: whole addresses are not stored.',
      examples: ['203.0.113.0/24'],
    }),
    created_at: Timestamp,
    last_used_at: Timestamp,
    current: Type.Boolean({ description: 'The session of this call.' }),
  },
  { title: 'Session' },
)

export const listSessions = defineOperation({
  ...owner,
  id: 'account_security.list_sessions',
  method: 'GET',
  path: '/api/account/sessions',
  summary: 'The logins of this account that have not ended',
  description: '`last_used_at` and `address` are those of the last refresh.',
  rate: 'data',
  query: Type.Object(pageQuery),
  success: { status: 200, about: 'The sessions, oldest first', body: pageOf(Session) },
  errors: [],
})

export const endSession = defineOperation({
  ...owner,
  id: 'account_security.end_session',
  method: 'DELETE',
  path: '/api/account/sessions/{id}',
  summary: 'End a session of this account',
  description:
    'When this answers 204, no token of the session is accepted anywhere. The session of the call ends as by a logout.',
  rate: 'data',
  params: Type.Object({ id: Type.String({ maxLength: 64, description: 'The id of the session.' }) }),
  success: { status: 204, about: 'The session has ended' },
  errors: ['session.not_found'],
})
