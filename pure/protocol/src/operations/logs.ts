import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { Timestamp, Uuid } from '../wire/scalars.ts'

export const logTypes = ['webhook', 'email', 'purge', 'client', 'config'] as const

const Metadata = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(Type.String())]),
  { description: 'What the entry is about, by name.', examples: [{ action: 'publish', slugs: ['name', 'home'] }] },
)

const LogEntry = Type.Object(
  {
    id: Uuid,
    type: Type.Enum([...logTypes]),
    message: Type.String(),
    metadata: Type.Object({}, { additionalProperties: true, documented: Metadata }),
    created_at: Timestamp,
    at: Timestamp,
  },
  { title: 'LogEntry' },
)

const logQuery = Type.Object({
  type: Type.Optional(Type.Enum([...logTypes], { description: 'Entries of this kind only.' })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Nothing older.' })),
  ...pageQuery,
})
const KEPT = 'Newest first; kept for 90 days.'

export const listOwnLogs = defineOperation({
  id: 'company_data.list_logs',
  method: 'GET',
  path: '/api/company-data/logs',
  document: 'company-data',
  summary: 'The log of this service',
  description: KEPT,
  callers: ['service_client'],
  rate: 'data',
  query: logQuery,
  success: { status: 200, about: 'The entries', body: pageOf(LogEntry) },
  errors: ['services.not_found'],
})

export const listLogs = defineOperation({
  id: 'services.list_logs',
  method: 'GET',
  path: '/api/services/{id}/logs',
  document: 'account',
  summary: 'The log of a service',
  description: KEPT,
  callers: ['portal', 'delegate', 'account_client'],
  delegateRole: 'operator',
  rate: 'data',
  params: Type.Object({ id: Type.String({ maxLength: 255, description: 'The id of the service.' }) }),
  query: logQuery,
  success: { status: 200, about: 'The entries', body: pageOf(LogEntry) },
  errors: ['services.not_found', 'services.second_factor_required'],
})
