import type { Bytes } from '@sealpost/crypto'
import type { CurveName, HashName } from './object-ids.ts'

/** The part of WebCrypto that a verification uses; `globalThis.crypto` of Node and of browsers fits. */
export interface SealCrypto {
  readonly subtle: {
    digest(algorithm: HashName, data: Bytes): Promise<ArrayBuffer>
    importKey(
      format: 'spki',
      data: Bytes,
      algorithm: KeyParameters,
      extractable: boolean,
      usages: 'verify'[],
    ): Promise<SealKey>
    verify(algorithm: VerifyParameters, key: SealKey, signature: Bytes, data: Bytes): Promise<boolean>
  }
}

/** As the host made it. */
export interface SealKey {
  readonly type: string
  readonly extractable: boolean
  readonly algorithm: { readonly name: string }
}

export type KeyParameters =
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: HashName }
  | { readonly name: 'ECDSA'; readonly namedCurve: CurveName }

export type VerifyParameters =
  | { readonly name: 'RSASSA-PKCS1-v1_5' }
  | { readonly name: 'ECDSA'; readonly hash: HashName }

export async function digest(crypto: SealCrypto, hash: HashName, data: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(hash, data))
}
