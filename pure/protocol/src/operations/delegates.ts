import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { PublicKey } from '../wire/keys.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { nullableText, ShareCode, Timestamp, Uuid } from '../wire/scalars.ts'
import { WrapperString } from '../wire/wrapper.ts'

const Role = Type.Enum(['admin', 'operator'])

const Delegate = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    share_code: ShareCode,
    display_name: nullableText({
      description:
        'The present name of the user, as its home has told it: within seconds after the delegate was added.',
    }),
    role: Role,
    services: Type.Array(Uuid, { description: 'The services that the delegate may open.' }),
    keyed_services: Type.Array(Uuid, { description: 'The subset whose passphrase was handed over.' }),
    public_key: Type.Union([PublicKey, Type.Null()], { description: 'The public key that a passphrase is sealed to.' }),
    created_at: Timestamp,
  },
  { title: 'Delegate' },
)

const Company = Type.Object(
  {
    company_id: Uuid,
    display_name: Type.String(),
    region: Type.String({ description: 'The code of the home region of the company.', examples: ['eu'] }),
    role: Role,
    services: Type.Array(Uuid, { description: 'The services that the user may open.' }),
  },
  { title: 'Company' },
)

const delegateId = { id: Type.String({ format: 'uuid', description: 'The id of the delegate.' }) }

export const listDelegates = defineOperation({
  id: 'delegates.list',
  method: 'GET',
  path: '/api/delegates',
  document: 'account',
  summary: 'The users with access to the portal',
  callers: ['portal', 'account_client'],
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The delegates, oldest first', body: pageOf(Delegate) },
  errors: [],
})

export const createDelegate = defineOperation({
  id: 'delegates.create',
  method: 'POST',
  path: '/api/delegates',
  document: 'account',
  summary: 'Give another user access to the portal',
  description:
    'The user is named by share code and may live in any region. An operator works with the listed services; an admin ' +
    'may also configure them. Neither reaches the security settings of the account.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  creates: true,
  body: Type.Object({
    share_code: Type.String({ minLength: 1, maxLength: 32 }),
    role: Role,
    services: Type.Array(Type.String({ format: 'uuid' }), { maxItems: 200 }),
  }),
  success: { status: 201, about: 'The delegate', body: Delegate },
  misses: ['delegates.user_not_found'],
  errors: ['delegates.user_not_found', 'delegates.exists', 'services.not_found'],
})

export const readDelegate = defineOperation({
  id: 'delegates.read',
  method: 'GET',
  path: '/api/delegates/{id}',
  document: 'account',
  summary: 'One user with access to the portal',
  callers: ['portal', 'account_client'],
  rate: 'data',
  params: Type.Object(delegateId),
  success: { status: 200, about: 'The delegate', body: Delegate },
  errors: ['delegates.not_found'],
})

export const changeDelegate = defineOperation({
  id: 'delegates.change',
  method: 'PUT',
  path: '/api/delegates/{id}',
  document: 'account',
  summary: 'Change the role and the services of a delegate',
  description:
    'Takes effect with the next call of the delegate. With a service, the passphrase that was sealed to the delegate goes; ' +
    'a passphrase that the delegate has opened stays known.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  params: Type.Object(delegateId),
  body: Type.Object({
    role: Role,
    services: Type.Array(Type.String({ format: 'uuid' }), { maxItems: 200 }),
  }),
  success: { status: 200, about: 'The delegate', body: Delegate },
  errors: ['delegates.not_found', 'services.not_found'],
})

export const deleteDelegate = defineOperation({
  id: 'delegates.delete',
  method: 'DELETE',
  path: '/api/delegates/{id}',
  document: 'account',
  summary: 'Remove a delegate',
  description: 'Takes effect at once: the next call of the delegate is refused.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  params: Type.Object(delegateId),
  success: { status: 204, about: 'The delegate is removed' },
  errors: ['delegates.not_found'],
})

export const handOverServiceKey = defineOperation({
  id: 'delegates.hand_over_key',
  method: 'PUT',
  path: '/api/delegates/{id}/services/{serviceId}/key',
  document: 'account',
  summary: 'Hand a delegate the passphrase of a service',
  description: 'Sealed to the public key of the delegate by the sender.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  params: Type.Object({
    ...delegateId,
    serviceId: Type.String({ format: 'uuid', description: 'The id of the service.' }),
  }),
  body: Type.Object({ sealed: WrapperString }),
  success: { status: 200, about: 'The delegate', body: Delegate },
  errors: ['delegates.not_found', 'services.not_found', 'contact_data.encryption_required'],
})

export const listCompanies = defineOperation({
  id: 'companies.list',
  method: 'GET',
  path: '/api/companies',
  document: 'account',
  summary: 'The companies for which this user may act',
  description:
    'From the home of the user; a change at a company arrives within seconds. `POST /api/session/refresh` with `acting_for` ' +
    'answers the token.',
  callers: ['portal', 'person'],
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The companies, in the order of their ids', body: pageOf(Company) },
  errors: [],
})
