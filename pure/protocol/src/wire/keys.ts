import Type, { type Static } from 'typebox'

/** How the user's device derives keys from a password. The client checks the cost, so that no server can lower it. */
export const Kdf = Type.Object(
  {
    alg: Type.Literal('argon2id'),
    memory_kib: Type.Integer({ minimum: 32_768, maximum: 1_048_576 }),
    passes: Type.Integer({ minimum: 2, maximum: 16 }),
    lanes: Type.Integer({ minimum: 1, maximum: 16 }),
    salt: Type.String({
      pattern: '^[A-Za-z0-9+/]{22}==$',
      description: 'base64 of 16 bytes.',
      examples: ['AAECAwQFBgcICQoLDA0ODw=='],
    }),
  },
  { title: 'Kdf' },
)
export type Kdf = Static<typeof Kdf>

/** A private key as stored at the server, which cannot open it. */
export const PasswordWrap = Type.Object(
  {
    iv: Type.String({
      pattern: '^[A-Za-z0-9+/]{16}$',
      description: 'base64 of 12 bytes.',
      examples: ['AAECAwQFBgcICQoL'],
    }),
    data: Type.String({
      pattern: '^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
      maxLength: 4096,
      description: 'base64 of the PKCS#8 key under AES-256-GCM, tag appended.',
      examples: ['c2VhbGVkIGtleSB3aXRoIGl0cyB0YWc='],
    }),
  },
  { title: 'PasswordWrap', additionalProperties: false },
)
export type PasswordWrap = Static<typeof PasswordWrap>

/** The private key of a service or a sign-in app as stored at the server, which cannot open it. */
export const PassphraseWrap = Type.Object(
  { iter: Type.Integer(), salt: Type.String(), iv: Type.String(), data: Type.String() },
  {
    title: 'PassphraseWrap',
    description: 'A PKCS#8 key under a passphrase that only its owner has.',
    examples: [{ iter: 100_000, salt: 'AAECAwQFBgcICQoLDA0ODw==', iv: 'AAECAwQFBgcICQoL', data: 'c2VhbGVk…' }],
  },
)

export const PublicKey = Type.String({
  title: 'PublicKey',
  maxLength: 400,
  description: 'base64 of a DER SubjectPublicKeyInfo: RSA, 2048 bits, exponent 65537.',
  examples: ['MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…'],
})

/** A value that a client derives from the password to prove it; it opens nothing. */
export const AuthVerifier = Type.String({
  title: 'AuthVerifier',
  pattern: '^[A-Za-z0-9+/]{43}=$',
  description: 'base64 of the 32 bytes that the client derives from the password.',
  examples: ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
})
