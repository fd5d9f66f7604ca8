import { type SealReport, verifySeal } from '@sealpost/pdf-format'
import { hostPlatform } from '../keys/host.ts'
import { type CertificateInput, certificatesOf } from './certificates.ts'

/** Whose seals and time-stamps count. Without certificates a seal can be intact, and is not valid. */
export interface SealTrust {
  /** Of seals, or of the authorities that issue them. */
  readonly certificates: CertificateInput
  /** Of time-stamps, if others issue them; `certificates` by default. */
  readonly timestampCertificates?: CertificateInput
}

const problems = {
  no_seal: 'The file has no seal.',
  malformed_seal: 'The seal cannot be read.',
  changed: 'The file was changed after it was sealed.',
  bytes_added: 'Bytes were added after the file was sealed.',
  other_content: 'The sealed file does not contain the bytes that were signed.',
  untrusted_seal: 'The seal does not lead to a certificate that you trust.',
  revoked_seal: 'The certificate of the seal, or of its authority, was revoked.',
  revoked_timestamp: 'The certificate of the time-stamp, or of its authority, was revoked.',
  untrusted_timestamp: 'The time-stamp does not lead to a certificate that you trust.',
  timestamp_missing: 'The time-stamp of the seal was removed.',
  timestamp_far: 'The time-stamp is more than 10 minutes away from the time of the seal.',
} as const

const warnings = {
  timestamp_unknown:
    'The seal is of an older form, which does not say whether a time-stamp belongs to it: its time may have been changed.',
} as const

export type SealProblem = keyof typeof problems
/** What a valid seal leaves open. */
export type SealWarning = keyof typeof warnings

/** The answer of `verifySealedPdf`. */
export interface SealVerdict {
  /** Sealed by a party that you trust, unchanged to its last byte, and signed as it is shown. */
  readonly isValid: boolean
  /** Empty if it is valid. */
  readonly problems: readonly { readonly problem: SealProblem; readonly sentence: string }[]
  readonly warnings: readonly { readonly warning: SealWarning; readonly sentence: string }[]
  /** Null if there is none that can be read. If the verdict is not valid, what it says is a claim of the file. */
  readonly seal: SealFacts | null
}

export interface SealFacts {
  /** The signature of the seal matches all bytes of the file. */
  readonly isIntact: boolean
  readonly coversWholeFile: boolean
  /** Added after the seal. */
  readonly bytesAfterSeal: number
  readonly isTrusted: boolean
  readonly sealedBy: SealParty
  /** Of the time-stamp, else as the platform wrote it; milliseconds since 1970. */
  readonly sealedAt: number | null
  readonly timestamp: { readonly at: number; readonly authority: SealParty; readonly isTrusted: boolean } | null
  /** What the file carries about the revocation of its certificates; empty if it carries nothing. */
  readonly revocation: readonly SealRevocation[]
  /** Computed from the file: the SHA-256 of the bytes that the signers were shown, lowercase hexadecimal. */
  readonly signedSha256: string
  readonly document: { readonly id: string; readonly name: string } | null
  /** Who signed or accepted. */
  readonly acts: readonly SealedAct[]
}

/** What a revocation list inside the file says about one certificate. */
export interface SealRevocation {
  readonly kind: 'crl'
  /** Whether the seal or its time-stamp depends on the certificate. */
  readonly of: 'seal' | 'timestamp'
  /** That of the seal or of the time-stamping authority, or one above it. */
  readonly certificate: SealParty
  /** When the list was issued, and when the next one was due; milliseconds since 1970. */
  readonly thisUpdate: number
  readonly nextUpdate: number | null
  readonly isSignedByIssuer: boolean
  /** The next list was not due yet when the file was sealed. */
  readonly isCurrent: boolean
  /** When the file was sealed. `unknown`: the list is not signed by the issuer of the certificate, or was out of date. */
  readonly status: 'good' | 'revoked' | 'unknown'
}

export interface SealParty {
  readonly name: string | null
  readonly organization: string | null
  /** SHA-256 of the certificate, lowercase hexadecimal. */
  readonly fingerprint: string
}

export interface SealedAct {
  readonly signerFirstName: string | null
  readonly signerLastName: string | null
  /** The name is the one on an identity document that was verified. */
  readonly isNameVerified: boolean
  readonly action: 'signed' | 'accepted'
  readonly method: string | null
  readonly at: string
}

/** Checks a sealed PDF. Calls nothing: it runs without the platform, in Node and in browsers. */
export async function verifySealedPdf(file: Uint8Array, trust: SealTrust): Promise<SealVerdict> {
  const host = { crypto, utf8: hostPlatform().utf8 }
  const certificates = certificatesOf(trust.certificates)
  const timestampCertificates = certificatesOf(trust.timestampCertificates ?? trust.certificates)
  const outcome = await verifySeal(host, Uint8Array.from(file), { certificates, timestampCertificates })
  if (!outcome.ok) return verdictOf([outcome.refusal], [], null)
  return verdictOf(problemsOf(outcome.value), warningsOf(outcome.value), factsOf(outcome.value))
}

function verdictOf(found: readonly SealProblem[], open: readonly SealWarning[], seal: SealFacts | null): SealVerdict {
  return {
    isValid: found.length === 0 && seal !== null,
    problems: found.map((problem) => ({ problem, sentence: problems[problem] })),
    warnings: open.map((warning) => ({ warning, sentence: warnings[warning] })),
    seal,
  }
}

function warningsOf({ timestampState }: SealReport): readonly SealWarning[] {
  return timestampState === 'unknown' ? ['timestamp_unknown'] : []
}

function problemsOf(report: SealReport): readonly SealProblem[] {
  const isRevoked = (of: SealRevocation['of']): boolean =>
    report.revocation.some((one) => one.of === of && one.status === 'revoked')
  const found: readonly (readonly [SealProblem, boolean])[] = [
    ['bytes_added', report.bytesAfterSeal > 0],
    ['changed', !report.isIntact && report.bytesAfterSeal === 0],
    ['other_content', !report.isSignedContent],
    ['revoked_seal', isRevoked('seal')],
    ['untrusted_seal', !report.isTrusted && !isRevoked('seal')],
    ['revoked_timestamp', isRevoked('timestamp')],
    // Its time decides whether the certificate of the seal was valid.
    ['untrusted_timestamp', report.timestamp?.isTrusted === false && !isRevoked('timestamp')],
    ['timestamp_missing', report.timestampState === 'missing'],
    ['timestamp_far', report.timestampState === 'far'],
  ]
  return found.flatMap(([problem, holds]) => (holds ? [problem] : []))
}

function factsOf(report: SealReport): SealFacts {
  const { record } = report
  return {
    isIntact: report.isIntact,
    coversWholeFile: report.coversWholeFile,
    bytesAfterSeal: report.bytesAfterSeal,
    isTrusted: report.isTrusted,
    sealedBy: report.sealedBy,
    sealedAt: report.sealedAt,
    timestamp: report.timestamp,
    revocation: report.revocation,
    signedSha256: report.signedSha256,
    document: record === null ? null : { id: record.document_id, name: record.document_name },
    acts: (record?.acts ?? []).map((act) => ({
      signerFirstName: emptyAsNull(act.signer_first_name),
      signerLastName: emptyAsNull(act.signer_last_name),
      isNameVerified: act.signer_name_verified,
      action: act.action,
      method: act.method,
      at: act.created_at,
    })),
  }
}

/** The record has no null for a name: a company has no first name. */
function emptyAsNull(text: string): string | null {
  return text === '' ? null : text
}
