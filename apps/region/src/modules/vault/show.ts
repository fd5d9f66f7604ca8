import { formatInstant, type Instant } from '@sealpost/kernel'
import { liveAttestation, type VaultValue } from './value.ts'

/** A value as the wire shows it to its owner. */
export function showValue(value: VaultValue, now: Instant) {
  const { fieldId, slug, label, type, isPrivate, updatedAt } = value
  return {
    field_id: fieldId,
    slug,
    label,
    type,
    is_private: isPrivate,
    ...showContent(value),
    ...showAttestation(value, now),
    updated_at: formatInstant(updatedAt),
  }
}

function showContent({ content }: VaultValue) {
  switch (content.kind) {
    case 'sealed':
      return { value: content.wrapper }
    case 'plain':
      return { value: content.text }
    case 'object':
      return { file: { content_sha256: content.sha256, bytes: content.bytes } }
  }
}

function showAttestation(value: VaultValue, now: Instant) {
  const attestation = liveAttestation(value.attestation, now)
  if (attestation === null) return {}
  const { hash, salt, verifiedAt, expiresAt, source } = attestation
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
  }
}
