import Type from 'typebox'
import { NullableTimestamp, Sha256, Timestamp } from './scalars.ts'

/** Stands beside a verified value: `verified_hash` = SHA-256 over the salt text and the exact plaintext. */
export const attestationMembers = {
  verified_hash: Type.Optional(Sha256),
  verified_salt: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$' })),
  verified_at: Type.Optional(Timestamp),
  verified_expires_at: Type.Optional(NullableTimestamp),
  verified_method: Type.Optional(Type.Enum(['email_code', 'sms_code', 'id_document', 'address_document', 'eid'])),
  verified_provider: Type.Optional(Type.String()),
  verification_id: Type.Optional(Type.String()),
  verified_statement: Type.Optional(
    Type.String({
      description: "The provider's signed statement (JWS), if it made one: readers can verify it themselves.",
    }),
  ),
} as const
