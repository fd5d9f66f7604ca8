import Type from 'typebox'
import { nullableChoice, NullableSha256, nullableText, NullableTimestamp, Sha256, Timestamp } from './scalars.ts'

const METHODS = ['email_code', 'sms_code', 'id_document', 'address_document', 'eid'] as const

/** Stands beside a verified value: `verified_hash` = SHA-256 over the salt text and the exact plaintext. */
export const attestationMembers = {
  verified_hash: Type.Optional(Sha256),
  verified_salt: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$' })),
  verified_at: Type.Optional(Timestamp),
  verified_expires_at: Type.Optional(NullableTimestamp),
  verified_method: Type.Optional(Type.Enum([...METHODS])),
  verified_provider: Type.Optional(Type.String()),
  verification_id: Type.Optional(Type.String()),
  verified_statement: Type.Optional(
    Type.String({
      description: "The provider's signed statement (JWS), if it made one: readers can verify it themselves.",
    }),
  ),
} as const

/** As an event shows it: all null after the attestation was lost or has expired, absent for a value that never had one. */
export const eventAttestationMembers = {
  verified_hash: Type.Optional(NullableSha256),
  verified_salt: Type.Optional(nullableText({ pattern: '^[0-9a-f]{32}$' })),
  verified_at: Type.Optional(NullableTimestamp),
  verified_expires_at: Type.Optional(NullableTimestamp),
  verified_method: Type.Optional(nullableChoice(METHODS)),
  verified_provider: Type.Optional(nullableText()),
  verification_id: Type.Optional(nullableText()),
  verified_statement: attestationMembers.verified_statement,
} as const
