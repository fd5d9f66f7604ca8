import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { NullableTimestamp, nullableText, Sha256, Timestamp, Uuid } from '../wire/scalars.ts'
import { ContactValue } from './contact-data.ts'

const fieldParams = Type.Object({ fieldId: Type.String({ format: 'uuid', description: 'The id of the field.' }) })

/**
 * The payload that a provider signs (JWS, ES256, compact). Only the provider and the device see the plaintext; the
 * platform gets its salted hash.
 */
export const VerificationStatement = Type.Object(
  {
    iss: Type.String({ description: 'The address of the provider.' }),
    verification_id: Uuid,
    challenge: Type.String(),
    field_type: Type.String(),
    hash: Sha256,
    salt: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    verified_at: Timestamp,
    expires_at: NullableTimestamp,
  },
  { title: 'VerificationStatement' },
)

export const startVerification = defineOperation({
  id: 'verifications.start',
  method: 'POST',
  path: '/api/contact-data/{fieldId}/verifications',
  document: 'account',
  summary: 'Begin to have a value verified',
  description:
    '`platform_email` mails a code to the address of the account. `platform_sms`, where the installation has a gateway, sends ' +
    'one to `phone`, which is not stored. For any other provider the device brings the challenge to `provider_url`. Beginning again with the same provider ends the previous verification.',
  callers: ['portal', 'person'],
  rate: 'login',
  params: fieldParams,
  creates: true,
  body: Type.Object({
    provider: Type.String({ minLength: 1, maxLength: 64, examples: ['platform_email'] }),
    phone: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'For `platform_sms`: exactly the text of the field, with a country code.',
        examples: ['+31 6 12345678'],
      }),
    ),
  }),
  success: {
    status: 201,
    about: 'The challenge to confirm',
    body: Type.Object({
      verification_id: Uuid,
      provider: Type.String(),
      challenge: nullableText({ description: 'For the provider; null where a code is mailed.' }),
      provider_url: nullableText({ description: 'Where the device brings the challenge.' }),
      expires_at: Timestamp,
    }),
  },
  errors: [],
})

export const confirmVerification = defineOperation({
  id: 'verifications.confirm',
  method: 'POST',
  path: '/api/contact-data/{fieldId}/verifications/{id}/confirm',
  document: 'account',
  summary: 'Confirm a verification',
  description:
    'With the mailed `code`, or with the `statement` that the provider signed: a JWS (ES256) over a VerificationStatement. ' +
    'It applies to the current value of the field, which must be the text that was verified: readers recompute the hash.',
  callers: ['portal', 'person'],
  rate: 'login',
  params: Type.Object({
    ...fieldParams.properties,
    id: Type.String({ format: 'uuid', description: 'The id of the verification.' }),
  }),
  body: Type.Object({
    code: Type.Optional(Type.String({ pattern: '^[0-9]{6}$' })),
    statement: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384 })),
  }),
  success: { status: 200, about: 'The value, now verified', body: ContactValue },
  errors: [],
})

export const removeVerification = defineOperation({
  id: 'verifications.drop',
  method: 'DELETE',
  path: '/api/contact-data/{fieldId}/verification',
  document: 'account',
  summary: 'Remove the verification of a value',
  callers: ['portal', 'person'],
  rate: 'data',
  params: fieldParams,
  success: { status: 204, about: 'The value is no longer verified' },
  errors: [],
})
