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
    ref: nullableText({ description: 'The target of the change.' }),
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
  callers: ['portal'],
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The entries, newest first', body: pageOf(AuditEntry) },
  errors: [],
})
