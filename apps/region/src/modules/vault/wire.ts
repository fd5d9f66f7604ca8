import { DRAWN_TYPE } from '@sealpost/images'
import { formatInstant, type Instant } from '@sealpost/kernel'
import type { VaultValue } from './model.ts'
import type { Photo } from './photos/model.ts'
import { liveAttestation } from './rules/values.ts'
import type { BegunVerification } from './verification/model.ts'

/** A value as its owner reads it. */
export function valueToWire(value: VaultValue, now: Instant) {
  const { fieldId, slug, label, type, isPrivate, updatedAt } = value
  return {
    field_id: fieldId,
    slug,
    label,
    type,
    is_private: isPrivate,
    ...contentToWire(value),
    ...attestationToWire(value, now),
    updated_at: formatInstant(updatedAt),
  }
}

function contentToWire({ content }: VaultValue) {
  switch (content.kind) {
    case 'sealed':
      return { value: content.wrapper }
    case 'plain':
      return { value: content.text }
    case 'object':
      return { file: { content_sha256: content.sha256, bytes: content.bytes } }
  }
}

function attestationToWire(value: VaultValue, now: Instant) {
  const attestation = liveAttestation(value.attestation, now)
  if (attestation === null) return {}
  const { hash, salt, verifiedAt, expiresAt, source, statement } = attestation
  return {
    verified_hash: hash,
    verified_salt: salt,
    verified_at: formatInstant(verifiedAt),
    verified_expires_at: expiresAt === null ? null : formatInstant(expiresAt),
    ...(source === null
      ? {}
      : {
          verified_method: source.method,
          verified_provider: source.provider,
          verification_id: source.verificationId,
        }),
    ...(statement === undefined ? {} : { verified_statement: statement }),
  }
}

export function begunVerificationToWire({ id, provider, challenge, providerUrl, expiresAt }: BegunVerification) {
  return {
    verification_id: id,
    provider,
    challenge,
    provider_url: providerUrl,
    expires_at: formatInstant(expiresAt),
  }
}

export function photoToWire({ id, full, createdAt }: Photo) {
  return {
    id,
    mime_type: DRAWN_TYPE,
    width: full.width,
    height: full.height,
    size: full.bytes,
    content_sha256: full.sha256,
    created_at: formatInstant(createdAt),
  }
}
