/** The former key of a plugin vouches for the next one. */
export interface KeyRollover {
  /** Hex of the SHA-256 of the former key's SubjectPublicKeyInfo. */
  readonly previous_sha256: string
  /** base64 of the next key's SubjectPublicKeyInfo. */
  readonly public_key: string
  /** base64 of the signature by the former key. */
  readonly signature: string
}
