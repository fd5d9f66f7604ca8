/** What the platform seals with the file, as JSON in the file: who did what, and which bytes they saw. */
export interface SealRecord {
  readonly format: 1
  readonly document_id: string
  readonly document_name: string
  /** Lowercase hexadecimal, of the bytes before the Signatures page was added. */
  readonly signed_sha256: string
  readonly sealed_at: string
  /** Whether a time-stamp belongs to the seal, which is not signed itself. Older records do not say. */
  readonly has_timestamp?: boolean
  readonly acts: readonly SealAct[]
}

/** One signature or acceptance. */
export interface SealAct {
  readonly signer_first_name: string
  readonly signer_last_name: string
  readonly signer_name_verified: boolean
  readonly action: 'signed' | 'accepted'
  readonly method: 'biometric' | 'twofa' | 'email' | 'custodian' | null
  readonly created_at: string
  /** The place in the order of signers, from 1. */
  readonly position: number
}

/** Null for anything else. */
export function parseRecord(text: string): SealRecord | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is SealRecord {
  return (
    hasMembers(value, { format: 'number', document_id: 'string', document_name: 'string', signed_sha256: 'string' }) &&
    hasMembers(value, { sealed_at: 'string' }) &&
    'format' in value &&
    value.format === 1 &&
    (!('has_timestamp' in value) || typeof value.has_timestamp === 'boolean') &&
    'acts' in value &&
    Array.isArray(value.acts) &&
    value.acts.every(isAct)
  )
}

function isAct(value: unknown): value is SealAct {
  const texts = { signer_first_name: 'string', signer_last_name: 'string', created_at: 'string' } as const
  if (!hasMembers(value, { ...texts, signer_name_verified: 'boolean', action: 'string', position: 'number' }))
    return false
  return 'method' in value && (value.method === null || typeof value.method === 'string')
}

function hasMembers(
  value: unknown,
  members: Readonly<Record<string, 'string' | 'number' | 'boolean'>>,
): value is object {
  if (typeof value !== 'object' || value === null) return false
  const known = new Map<string, unknown>(Object.entries(value))
  return Object.entries(members).every(([name, type]) => typeof known.get(name) === type)
}
