import type { Attestation, AttestationMethod, AttestationSource } from '@sealpost/field-types'
import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type { VaultContent, WrittenValue } from '../model.ts'

export interface ValueRow {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly rev: number
  readonly isPrivate: boolean
  readonly kind: VaultContent['kind']
  readonly content: string | null
  readonly objectKey: ObjectKey | null
  readonly sha256: Sha256 | null
  readonly bytes: number | null
  readonly form: 'sealed' | 'clear' | null
  readonly callSha256: string
  readonly verifiedHash: string | null
  readonly verifiedSalt: string | null
  readonly verifiedAt: Instant | null
  readonly verifiedExpiresAt: Instant | null
  readonly verifiedMethod: AttestationMethod | null
  readonly verifiedProvider: string | null
  readonly verificationId: string | null
  readonly verifiedStatement: string | null
  readonly updatedAt: Instant
}

export function readStoredValue(row: ValueRow): WrittenValue {
  const { accountId, fieldId, rev, isPrivate, updatedAt, callSha256 } = row
  return {
    accountId,
    fieldId,
    rev,
    isPrivate,
    updatedAt,
    callSha256,
    content: contentOf(row),
    attestation: attestationOf(row),
  }
}

function contentOf({ kind, content, objectKey, sha256, bytes, form }: ValueRow): VaultContent {
  if (kind === 'object') {
    // The table's checks exclude it; a row that breaks them is damaged.
    if (objectKey === null || sha256 === null || bytes === null || form === null)
      throw new Error('row of vault.value without its file')
    return { kind, objectKey, sha256, bytes, form }
  }
  if (content === null) throw new Error('row of vault.value without its content')
  return kind === 'sealed' ? { kind, wrapper: content } : { kind, text: content }
}

function attestationOf(row: ValueRow): Attestation | null {
  const { verifiedHash: hash, verifiedSalt: salt, verifiedAt, verifiedExpiresAt: expiresAt } = row
  if (hash === null || salt === null || verifiedAt === null) return null
  const statement = row.verifiedStatement === null ? {} : { statement: row.verifiedStatement }
  return { hash, salt, verifiedAt, expiresAt, source: sourceOf(row), ...statement }
}

function sourceOf({
  verifiedMethod: method,
  verifiedProvider: provider,
  verificationId,
}: ValueRow): AttestationSource | null {
  const isWhole = method !== null && provider !== null && verificationId !== null
  return isWhole ? { method, provider, verificationId } : null
}

/** In the order of the columns that `setAttestation` writes. */
export function attestationParameters(attestation: Attestation | null): readonly unknown[] {
  const { hash = null, salt = null, verifiedAt = null, expiresAt = null, source = null } = attestation ?? {}
  return [
    hash,
    salt,
    verifiedAt,
    expiresAt,
    source?.method ?? null,
    source?.provider ?? null,
    source?.verificationId ?? null,
    attestation?.statement ?? null,
  ]
}
