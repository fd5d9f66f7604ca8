/** Dotted, with the standard that defines each. */
export const OIDS = {
  /** RFC 5652 */
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  /** RFC 5035, RFC 2634 */
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  /** RFC 3161 */
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  /** RFC 5280 */
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  keyUsage: '2.5.29.15',
  listDistributionPoints: '2.5.29.31',
  issuingDistributionPoint: '2.5.29.28',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  rsaEncryption: '1.2.840.113549.1.1.1',
  ecPublicKey: '1.2.840.10045.2.1',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const

export type HashName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

export const HASHES: ReadonlyMap<string, HashName> = new Map([
  ['1.3.14.3.2.26', 'SHA-1'],
  [OIDS.sha256, 'SHA-256'],
  ['2.16.840.1.101.3.4.2.2', 'SHA-384'],
  ['2.16.840.1.101.3.4.2.3', 'SHA-512'],
])

/** Signature algorithms that name their hash; SHA-1 is not among them. */
export const SIGNATURE_HASHES: ReadonlyMap<string, HashName> = new Map([
  [OIDS.sha256WithRsa, 'SHA-256'],
  ['1.2.840.113549.1.1.12', 'SHA-384'],
  ['1.2.840.113549.1.1.13', 'SHA-512'],
  [OIDS.ecdsaWithSha256, 'SHA-256'],
  ['1.2.840.10045.4.3.3', 'SHA-384'],
  ['1.2.840.10045.4.3.4', 'SHA-512'],
])

export const CURVES: ReadonlyMap<string, { readonly name: CurveName; readonly bytes: number }> = new Map([
  ['1.2.840.10045.3.1.7', { name: 'P-256', bytes: 32 }],
  ['1.3.132.0.34', { name: 'P-384', bytes: 48 }],
  ['1.3.132.0.35', { name: 'P-521', bytes: 66 }],
])

export type CurveName = 'P-256' | 'P-384' | 'P-521'
