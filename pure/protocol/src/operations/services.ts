import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { checkedByRule, requiredByRule } from '../wire/checked-by-rule.ts'
import { PassphraseWrap, PublicKey } from '../wire/keys.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { nullableText, Timestamp, Uuid } from '../wire/scalars.ts'

export const audiences = ['person', 'company', 'both'] as const

const AudienceGiven = Type.Enum([...audiences], {
  description: 'The kinds of customers that the service connects with.',
})
const ServiceName = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })

const Service = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    share_code: Type.String({ description: 'Customers find the service under `COMPANYCODE/SERVICECODE`.' }),
    admin_email: Type.String(),
    audience: AudienceGiven,
    number_matching: Type.Boolean({ description: 'Whether approving a login requires typing two digits.' }),
    require_2fa: Type.Boolean({
      description: 'Whether the portal requires a login with two factors for this service.',
    }),
    public_key: Type.String(),
    created_at: Timestamp,
    state: Type.Enum(['active', 'applying', 'deleted'], {
      description: '`applying` while values of removed request fields are being deleted; all calls work meanwhile.',
    }),
    deleted_at: Type.Optional(Timestamp),
    progress: Type.Optional(
      Type.Object(
        { done: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 0 }) },
        { description: 'Connections, while `state` is `applying`.' },
      ),
    ),
  },
  { title: 'Service' },
)

const serviceId = Type.Object({ id: Type.String({ maxLength: 255, description: 'The id of the service.' }) })
const managers = ['portal', 'delegate', 'account_client'] as const
const shareCodeGiven = Type.String({
  pattern: '^[A-Z0-9]{1,8}$',
  description: 'Unique among the services of the company.',
  examples: ['RENTALS'],
})
const adminEmailGiven = requiredByRule(
  Type.String({
    description: 'An e-mail address that is read: alerts about the service go there.',
    examples: ['desk@example.com'],
  }),
)

export const createService = defineOperation({
  id: 'services.create',
  method: 'POST',
  path: '/api/services',
  document: 'account',
  summary: 'Make a service',
  description:
    'The caller makes the key pair and keeps the passphrase: the server stores the public key and the wrapped private key, ' +
    'and can open neither the key nor the values sealed to it. Every service has its own key, which no other service uses.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  body: Type.Object({
    name: ServiceName,
    admin_email: adminEmailGiven,
    public_key: requiredByRule(PublicKey),
    encrypted_private_key: requiredByRule(PassphraseWrap),
    share_code: Type.Optional(checkedByRule(shareCodeGiven)),
    audience: Type.Optional(AudienceGiven),
  }),
  creates: true,
  success: { status: 201, about: 'The service', body: Service },
  errors: [
    'services.admin_email_invalid',
    'services.key_invalid',
    'services.share_code_invalid',
    'services.share_code_taken',
  ],
})

export const listServices = defineOperation({
  id: 'services.list',
  method: 'GET',
  path: '/api/services',
  document: 'account',
  summary: 'The services',
  description:
    'A delegate sees the services that it has access to. `deleted=true` lists the deleted services whose runs or signed ' +
    'documents the company keeps, and whose key stays with them; `/api/portal/services/{id}/documents` and `…/flow-runs` read them.',
  callers: managers,
  delegateRole: 'operator',
  rate: 'data',
  query: Type.Object({
    ...pageQuery,
    deleted: Type.Optional(Type.Enum(['true', 'false'], { description: 'Whether to list deleted services instead.' })),
  }),
  success: { status: 200, about: 'The services, oldest first', body: pageOf(Service) },
  errors: [],
})

export const readService = defineOperation({
  id: 'services.read',
  method: 'GET',
  path: '/api/services/{id}',
  document: 'account',
  summary: 'One service',
  callers: managers,
  delegateRole: 'operator',
  rate: 'data',
  params: serviceId,
  success: { status: 200, about: 'The service', body: Service },
  errors: ['services.not_found', 'services.second_factor_required'],
})

export const changeService = defineOperation({
  id: 'services.change',
  method: 'PUT',
  path: '/api/services/{id}',
  document: 'account',
  summary: 'Rename a service or change its audience',
  description: 'Absent members stay unchanged. A new audience applies to new connections only.',
  callers: managers,
  rate: 'data',
  params: serviceId,
  body: Type.Object({ name: Type.Optional(ServiceName), audience: Type.Optional(AudienceGiven) }),
  success: { status: 200, about: 'The service as it is now', body: Service },
  errors: ['services.not_found', 'services.second_factor_required'],
})

export const deleteService = defineOperation({
  id: 'services.delete',
  method: 'DELETE',
  path: '/api/services/{id}',
  document: 'account',
  summary: 'Delete a service',
  description:
    'When this answers, the service can no longer be found and its data client has ended. Its connections end soon after; its ' +
    'share code is free once the last one has ended. The answers of its runs are deleted, and so are messages and documents ' +
    'that were not signed or accepted. The runs, their documents and all that was signed or accepted stay with the company, ' +
    'and with them the key: `GET /api/services?deleted=true`. Delegates cannot delete a service.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  params: serviceId,
  success: { status: 204, about: 'The service is deleted' },
  errors: ['services.not_found', 'services.second_factor_required', 'company_connections.active_contract'],
})

export const changeServiceShareCode = defineOperation({
  id: 'services.change_share_code',
  method: 'PUT',
  path: '/api/services/{id}/share-code',
  document: 'account',
  summary: 'Change the share code of a service',
  callers: managers,
  rate: 'data',
  params: serviceId,
  body: Type.Object({ share_code: requiredByRule(shareCodeGiven) }),
  success: { status: 200, about: 'The service as it is now', body: Service },
  errors: [
    'services.not_found',
    'services.second_factor_required',
    'services.share_code_invalid',
    'services.share_code_taken',
  ],
})

export const changeServiceAdminEmail = defineOperation({
  id: 'services.change_admin_email',
  method: 'PUT',
  path: '/api/services/{id}/admin-email',
  document: 'account',
  summary: 'Change the alert address of a service',
  callers: managers,
  rate: 'data',
  params: serviceId,
  body: Type.Object({ admin_email: adminEmailGiven }),
  success: { status: 200, about: 'The service as it is now', body: Service },
  errors: ['services.not_found', 'services.second_factor_required', 'services.admin_email_invalid'],
})

export const changeNumberMatching = defineOperation({
  id: 'services.change_number_matching',
  method: 'PUT',
  path: '/api/services/{id}/number-matching',
  document: 'account',
  summary: 'Set whether approving a login requires typing two digits',
  description: 'Independent of `require-2fa`.',
  callers: managers,
  rate: 'data',
  params: serviceId,
  body: Type.Object({ number_matching: Type.Boolean() }),
  success: { status: 200, about: 'The service as it is now', body: Service },
  errors: ['services.not_found', 'services.second_factor_required'],
})

export const changeRequiredSecondFactor = defineOperation({
  id: 'services.change_require_2fa',
  method: 'PUT',
  path: '/api/services/{id}/require-2fa',
  document: 'account',
  summary: 'Set whether the portal requires a login with two factors for a service',
  description: 'Applies to the company and its delegates, not to machine clients. Independent of `number-matching`.',
  callers: managers,
  rate: 'data',
  params: serviceId,
  body: Type.Object({ require_2fa: Type.Boolean() }),
  success: { status: 200, about: 'The service as it is now', body: Service },
  errors: ['services.not_found', 'services.second_factor_required'],
})

export const readServicePrivateKey = defineOperation({
  id: 'services.read_private_key',
  method: 'GET',
  path: '/api/services/{id}/private-key',
  document: 'account',
  summary: 'The wrapped private key of a service',
  description:
    'Only the caller can open it, with the passphrase. It stays readable after the deletion of the service, for as long as the ' +
    'company keeps documents or runs of it.',
  callers: managers,
  delegateRole: 'operator',
  rate: 'data',
  params: serviceId,
  success: {
    status: 200,
    about: 'Both halves of the key, the private one wrapped',
    body: Type.Object({
      public_key: Type.String(),
      encrypted_private_key: PassphraseWrap,
      sealed_passphrase: nullableText({
        description: 'For a delegate: the passphrase as it was handed over, sealed to the key of that user.',
      }),
    }),
  },
  errors: ['services.not_found', 'services.second_factor_required'],
})
