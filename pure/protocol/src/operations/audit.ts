import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { nullableText, Timestamp } from '../wire/scalars.ts'

const AuditEntry = Type.Object(
  {
    id: Type.String({ description: 'Opaque; unique in the account.' }),
    action: Type.String({ description: 'The action: `delegates.create`.', examples: ['delegates.create'] }),
    actor_id: Type.String({
      description: 'The user or the machine client that made the change; `operator` for the platform.',
    }),
    actor_name: nullableText({
      description:
        'The present name of the company or the machine client, or the name of the delegate as its home has told it. Null ' +
        'for the platform, a deleted client, and a delegate whose account is deleted.',
    }),
    ref: nullableText({ description: 'The target of the change.' }),
    service_id: nullableText({
      format: 'uuid',
      description: 'The service that it concerns, also once that is deleted; null for the account as a whole.',
    }),
    at: Timestamp,
  },
  { title: 'AuditEntry' },
)

export const listAudit = defineOperation({
  id: 'audit.list',
  method: 'GET',
  path: '/api/portal/audit',
  document: 'account',
  summary: 'The changes in this account, and who made them',
  description: 'A cursor belongs to its filters. A filtered list has no total of its own: see `total`.',
  callers: ['portal'],
  rate: 'data',
  query: Type.Object({
    action: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Entries of this action only.',
        examples: ['delegates.create'],
      }),
    ),
    actor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Entries with this `actor_id` only.' }),
    ),
    service_id: Type.Optional(Type.String({ format: 'uuid', description: 'Entries about this service only.' })),
    since: Type.Optional(Type.String({ format: 'date-time', description: 'Nothing older.' })),
    ...pageQuery,
  }),
  success: { status: 200, about: 'The entries, newest first', body: pageOf(AuditEntry) },
  errors: [],
})
