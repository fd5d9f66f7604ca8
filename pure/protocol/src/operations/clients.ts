import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { capabilities } from '../wire/capabilities.ts'
import { checkedByRule, requiredByRule } from '../wire/checked-by-rule.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { nullableText, Timestamp } from '../wire/scalars.ts'

export const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token'] as const
export type GrantType = (typeof grantTypes)[number]

/** The grants of a client follow from its kind and from whether it has a redirect URI. */
export function grantTypesOf(kind: 'svc' | 'acct' | 'idw', redirectUris: readonly string[]): readonly GrantType[] {
  if (kind === 'idw') return ['authorization_code', 'refresh_token']
  return redirectUris.length === 0 ? ['client_credentials'] : grantTypes
}

export const ClientSecretOnce = nullableText({
  title: 'ClientSecretOnce',
  description: 'Shown in this answer only; null when the answer is repeated for its Idempotency-Key.',
})

const Capabilities = Type.Array(Type.Enum([...capabilities]), {
  title: 'Capabilities',
  description: 'Groups of paths that the client may reach beside its baseline, in a fixed order.',
})

const accountClientMembers = {
  client_id: Type.String(),
  name: Type.String(),
  purpose: nullableText({ description: 'Set when the client is made, and never changed.' }),
  capabilities: Capabilities,
  redirect_uri: nullableText(),
}

const AccountClient = Type.Object({ ...accountClientMembers, created_at: Timestamp }, { title: 'AccountClient' })
const NewAccountClient = Type.Object(
  { ...accountClientMembers, client_secret: ClientSecretOnce },
  { title: 'NewAccountClient' },
)

const capabilitiesGiven = requiredByRule(
  Type.Array(Type.Enum([...capabilities]), { description: 'Empty grants the baseline only.' }),
)
const redirectGiven = Type.Optional(
  checkedByRule(
    nullableText({
      description: 'An absolute URI; needed for authorization codes only.',
      examples: ['https://app.example.com/callback'],
    }),
  ),
)
const accountClientId = Type.Object({ id: Type.String({ maxLength: 255, description: 'The client_id.' }) })
const secretAnswer = Type.Object({ client_id: Type.String(), client_secret: ClientSecretOnce })

export const createAccountClient = defineOperation({
  id: 'account_clients.create',
  method: 'POST',
  path: '/api/account/clients',
  document: 'account',
  summary: 'Make an account client',
  description: 'A machine client that manages this account. The secret is shown once; a copy is sealed for recovery.',
  callers: ['portal'],
  rate: 'data',
  body: Type.Object({
    name: requiredByRule(
      Type.String({
        maxLength: 200,
        description: 'Text with at least one visible character.',
        examples: ['Nightly export'],
      }),
    ),
    capabilities: capabilitiesGiven,
    redirect_uri: redirectGiven,
    purpose: Type.Optional(
      checkedByRule(
        nullableText({
          pattern: '^[a-z0-9_.:-]{1,64}$',
          description: 'Unique in the account; absent or null for none.',
          examples: ['export'],
        }),
      ),
    ),
  }),
  creates: true,
  onceOnly: ['client_secret'],
  success: { status: 201, about: 'The client with its secret', body: NewAccountClient },
  errors: [
    'account_clients.name_invalid',
    'account_clients.capabilities_invalid',
    'account_clients.redirect_uri_invalid',
    'account_clients.purpose_invalid',
    'account_clients.purpose_reserved',
    'account_clients.purpose_taken',
  ],
})

export const listAccountClients = defineOperation({
  id: 'account_clients.list',
  method: 'GET',
  path: '/api/account/clients',
  document: 'account',
  summary: 'The account clients',
  callers: ['portal'],
  rate: 'data',
  query: Type.Object(pageQuery),
  success: { status: 200, about: 'The clients, oldest first, without secrets', body: pageOf(AccountClient) },
  errors: [],
})

export const changeAccountClient = defineOperation({
  id: 'account_clients.change_capabilities',
  method: 'PUT',
  path: '/api/account/clients/{id}/capabilities',
  document: 'account',
  summary: 'Replace the capabilities of an account client',
  description: 'The baseline always stays. Without `redirect_uri` the current one is kept; null clears it.',
  callers: ['portal'],
  rate: 'data',
  params: accountClientId,
  body: Type.Object({ capabilities: capabilitiesGiven, redirect_uri: redirectGiven }),
  success: { status: 200, about: 'The client as it is now', body: AccountClient },
  errors: [
    'account_clients.not_found',
    'account_clients.capabilities_invalid',
    'account_clients.redirect_uri_invalid',
    'account_clients.purpose_managed',
  ],
})

export const regenerateAccountClientSecret = defineOperation({
  id: 'account_clients.regenerate_secret',
  method: 'POST',
  path: '/api/account/clients/{id}/regenerate-secret',
  document: 'account',
  summary: 'Give an account client a new secret',
  description: 'When this answers, the old secret and every token of the client have ended.',
  callers: ['portal'],
  rate: 'data',
  params: accountClientId,
  creates: true,
  onceOnly: ['client_secret'],
  success: { status: 200, about: 'The new secret', body: secretAnswer },
  errors: ['account_clients.not_found', 'account_clients.purpose_managed'],
})

export const deleteAccountClient = defineOperation({
  id: 'account_clients.delete',
  method: 'DELETE',
  path: '/api/account/clients/{id}',
  document: 'account',
  summary: 'Delete an account client',
  description: 'The client, its tokens and its patterns are deleted when this answers.',
  callers: ['portal'],
  rate: 'data',
  params: accountClientId,
  success: { status: 204, about: 'The client is deleted' },
  errors: ['account_clients.not_found'],
})

const dataClientMembers = {
  client_id: Type.String(),
  grant_types: Type.Array(Type.Enum([...grantTypes])),
  redirect_uri: nullableText({
    description: 'The address that authorization codes are sent to; without one no codes are issued.',
  }),
}
const DataClient = Type.Object(dataClientMembers, { title: 'DataClient' })
const NewDataClient = Type.Object({ ...dataClientMembers, client_secret: ClientSecretOnce }, { title: 'NewDataClient' })

const serviceId = Type.Object({ id: Type.String({ maxLength: 255, description: 'The id of the service.' }) })
const dataClientRedirect = nullableText({
  description: 'An https URI, or http on loopback; null for none.',
  examples: ['https://app.example.com/callback'],
})

export const createDataClient = defineOperation({
  id: 'services.create_client',
  method: 'POST',
  path: '/api/services/{id}/client',
  document: 'account',
  summary: 'Register the data client of a service',
  description: 'A service has at most one. The secret is shown once; a copy is sealed for recovery.',
  callers: ['portal', 'delegate', 'account_client'],
  rate: 'data',
  level: 'basic',
  params: serviceId,
  body: Type.Object({ redirect_uri: Type.Optional(checkedByRule(dataClientRedirect)) }),
  allowsEmptyBody: true,
  creates: true,
  onceOnly: ['client_secret'],
  success: { status: 201, about: 'The client with its secret', body: NewDataClient },
  errors: [
    'services.not_found',
    'services.second_factor_required',
    'services.client_redirect_uri_invalid',
    'services.client_exists',
  ],
})

export const readDataClient = defineOperation({
  id: 'services.read_client',
  method: 'GET',
  path: '/api/services/{id}/client',
  document: 'account',
  summary: 'The data client of a service',
  callers: ['portal', 'delegate', 'account_client'],
  rate: 'data',
  params: serviceId,
  success: { status: 200, about: 'The client, without its secret', body: DataClient },
  errors: ['services.not_found', 'services.second_factor_required', 'services.client_not_found'],
})

export const changeDataClient = defineOperation({
  id: 'services.change_client',
  method: 'PUT',
  path: '/api/services/{id}/client',
  document: 'account',
  summary: 'Set where the data client receives authorization codes',
  callers: ['portal', 'delegate', 'account_client'],
  rate: 'data',
  params: serviceId,
  body: Type.Object({ redirect_uri: requiredByRule(dataClientRedirect) }),
  success: { status: 200, about: 'The client as it is now', body: DataClient },
  errors: [
    'services.not_found',
    'services.second_factor_required',
    'services.client_not_found',
    'services.client_redirect_uri_invalid',
  ],
})

export const deleteDataClient = defineOperation({
  id: 'services.delete_client',
  method: 'DELETE',
  path: '/api/services/{id}/client',
  document: 'account',
  summary: 'Delete the data client of a service',
  description: 'The client and its tokens are deleted when this answers.',
  callers: ['portal', 'delegate', 'account_client'],
  rate: 'data',
  params: serviceId,
  success: { status: 204, about: 'The client is deleted' },
  errors: ['services.not_found', 'services.second_factor_required', 'services.client_not_found'],
})

export const regenerateDataClientSecret = defineOperation({
  id: 'services.regenerate_client_secret',
  method: 'POST',
  path: '/api/services/{id}/client/regenerate-secret',
  document: 'account',
  summary: 'Give the data client a new secret',
  description: 'When this answers, the old secret and every token of the client have ended.',
  callers: ['portal', 'delegate', 'account_client'],
  rate: 'data',
  params: serviceId,
  creates: true,
  onceOnly: ['client_secret'],
  success: { status: 200, about: 'The new secret', body: secretAnswer },
  errors: ['services.not_found', 'services.second_factor_required', 'services.client_not_found'],
})
