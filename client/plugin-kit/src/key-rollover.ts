/** A key vouches for the one that takes its place; part of the manifest. */
export interface KeyRollover {
  /** Hex of the SHA-256 of the former key's SubjectPublicKeyInfo. */
  readonly previous_sha256: string
  /** The key that followed it, base64 of the SubjectPublicKeyInfo. */
  readonly public_key: string
  /** base64: RSASSA-PSS by the former key over the fingerprints of both. */
  readonly signature: string
}
