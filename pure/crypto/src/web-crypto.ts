/**
 * The part of WebCrypto that is used here, as a structural type: `globalThis.crypto` of Node and of browsers fits, and
 * so does a test double.
 */
export interface WebCrypto {
  readonly subtle: Subtle
  getRandomValues(bytes: Bytes): unknown
}

export type Bytes = Uint8Array<ArrayBuffer>

export interface WebCryptoKey {
  readonly type: string
  readonly extractable: boolean
  readonly algorithm: { readonly name: string }
}

export interface Subtle {
  encrypt(algorithm: CipherParameters, key: WebCryptoKey, data: Bytes): Promise<ArrayBuffer>
  decrypt(algorithm: CipherParameters, key: WebCryptoKey, data: Bytes): Promise<ArrayBuffer>
  sign(algorithm: SigningParameters, key: WebCryptoKey, data: Bytes): Promise<ArrayBuffer>
  verify(algorithm: SigningParameters, key: WebCryptoKey, signature: Bytes, data: Bytes): Promise<boolean>
  digest(algorithm: 'SHA-256', data: Bytes): Promise<ArrayBuffer>
  deriveBits(algorithm: DerivationParameters, key: WebCryptoKey, length: number): Promise<ArrayBuffer>
  importKey(
    format: 'raw' | 'spki' | 'pkcs8',
    data: Bytes,
    algorithm: ImportParameters,
    extractable: boolean,
    usages: KeyUsage[],
  ): Promise<WebCryptoKey>
  exportKey(format: 'spki' | 'pkcs8', key: WebCryptoKey): Promise<ArrayBuffer>
  generateKey(algorithm: RsaRecipe, extractable: boolean, usages: KeyUsage[]): Promise<WebCryptoKeyPair>
}

export interface WebCryptoKeyPair {
  readonly publicKey: WebCryptoKey
  readonly privateKey: WebCryptoKey
}

export interface RsaRecipe {
  readonly name: 'RSA-OAEP'
  readonly modulusLength: number
  readonly publicExponent: Bytes
  readonly hash: 'SHA-256'
}

type KeyUsage = 'encrypt' | 'decrypt' | 'deriveBits' | 'sign' | 'verify'

type SigningParameters =
  | 'HMAC'
  | { readonly name: 'ECDSA'; readonly hash: 'SHA-256' }
  | { readonly name: 'RSA-PSS'; readonly saltLength: number }

type CipherParameters = { readonly name: 'RSA-OAEP' } | { readonly name: 'AES-GCM' | 'AES-CBC'; readonly iv: Bytes }

type DerivationParameters =
  | { readonly name: 'PBKDF2'; readonly hash: 'SHA-256'; readonly salt: Bytes; readonly iterations: number }
  | { readonly name: 'HKDF'; readonly hash: 'SHA-256'; readonly salt: Bytes; readonly info: Bytes }

type ImportParameters =
  | { readonly name: 'RSA-OAEP'; readonly hash: 'SHA-256' | 'SHA-1' }
  | { readonly name: 'HMAC' | 'RSA-PSS'; readonly hash: 'SHA-256' }
  | { readonly name: 'ECDSA'; readonly namedCurve: 'P-256' }
  | { readonly name: 'AES-GCM' | 'AES-CBC' | 'PBKDF2' | 'HKDF' }
