import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import { PublicKey } from '../wire/keys.ts'
import { Sha256, ShareCode, Uuid } from '../wire/scalars.ts'

/** Services seal to their customers, and customers to the services they are connected with. */
const allCallers = [
  'service_client',
  'account_client',
  'portal',
  'delegate',
  'person',
] as const satisfies readonly CallerKind[]
const code = Type.String({ maxLength: 32, description: 'Upper and lower case are the same.' })
const keyMembers = {
  public_key: PublicKey,
  public_key_sha256: Type.Unsafe<string>({
    ...Sha256,
    title: 'KeyFingerprint',
    description: 'Over the DER; pin it, keys are never replaced.',
  }),
} as const

export const readKey = defineOperation({
  id: 'keys.read',
  method: 'GET',
  path: '/api/keys/{shareCode}',
  document: 'company-data',
  summary: 'The public key of a person or company',
  description: 'For a company this is the key of its account, not that of a service.',
  callers: allCallers,
  rate: 'data',
  params: Type.Object({ shareCode: code }),
  success: {
    status: 200,
    about: 'The key and whose it is',
    body: Type.Object({
      ...keyMembers,
      user_id: Uuid,
      share_code: ShareCode,
      user_type: Type.Enum(['person', 'company']),
    }),
  },
  misses: ['keys.not_found'],
  errors: ['keys.not_found'],
})

export const readServiceKey = defineOperation({
  id: 'keys.read_service',
  method: 'GET',
  path: '/api/keys/{companyCode}/{serviceCode}',
  document: 'company-data',
  summary: 'The public key of a service',
  callers: allCallers,
  rate: 'data',
  params: Type.Object({ companyCode: code, serviceCode: code }),
  success: {
    status: 200,
    about: 'The key and whose it is',
    body: Type.Object({ ...keyMembers, service_id: Uuid }),
  },
  misses: ['keys.not_found'],
  errors: ['keys.not_found'],
})

const wanted = Type.Object({ user_ids: Type.Array(Type.String({ format: 'uuid' }), { maxItems: 100 }) })
const found = {
  status: 200,
  about: 'The keys that were found, by user id',
  body: Type.Object({
    keys: Type.Record(Type.String(), PublicKey, {
      description:
        'Users who are not connected with you are absent. Your own id gives your own key, and a service gets its key by the ' +
        'id of its company.',
    }),
  }),
} as const

export const batchKeys = defineOperation({
  id: 'keys.batch',
  method: 'POST',
  path: '/api/keys/batch',
  document: 'company-data',
  summary: 'The public keys of the users you are connected with',
  callers: allCallers,
  rate: 'data',
  jsonOnly: true,
  body: wanted,
  success: found,
  errors: [],
})

export const batchServiceKeys = defineOperation({
  id: 'services.batch_keys',
  method: 'POST',
  path: '/api/services/{id}/keys/batch',
  document: 'account',
  summary: 'The public keys of the users who are connected to a service',
  callers: ['portal', 'delegate', 'account_client'],
  delegateRole: 'operator',
  rate: 'data',
  params: Type.Object({ id: Type.String({ maxLength: 255, description: 'The id of the service.' }) }),
  body: wanted,
  success: found,
  errors: ['services.not_found', 'services.second_factor_required'],
})
