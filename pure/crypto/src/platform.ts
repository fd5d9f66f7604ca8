import { type Base64Codec, createPortableBase64 } from './codecs/base64.ts'
import { findNativeBase64 } from './codecs/native-base64.ts'
import { createUtf8Codec, type Utf8Codec, type Utf8Host } from './codecs/utf8.ts'
import type { Bytes, WebCrypto } from './web-crypto.ts'

/** The platform functions that sealing uses; made once, passed to every function. */
export interface CryptoPlatform {
  readonly crypto: WebCrypto
  readonly utf8: Utf8Codec
  readonly base64: Base64Codec
}

/** The globals of Node or of a browser. */
export interface CryptoHost extends Utf8Host {
  readonly crypto: WebCrypto
  /** A native base64 is used where the host has one: five megabytes take one millisecond instead of twenty. */
  readonly Uint8Array?: unknown
  readonly Buffer?: unknown
}

/** `createCryptoPlatform(globalThis)` */
export function createCryptoPlatform(host: CryptoHost): CryptoPlatform {
  const { crypto } = host
  if (!hasSubtle(crypto))
    throw new Error('WebCrypto has no `subtle` here: in a browser, serve the page over https or from localhost')
  const utf8 = createUtf8Codec(host)
  return { crypto, utf8, base64: findNativeBase64(host) ?? createPortableBase64(utf8) }
}

export function randomBytes({ crypto }: CryptoPlatform, length: number): Bytes {
  const bytes = new Uint8Array(length)
  crypto.getRandomValues(bytes)
  return bytes
}

/** The type guarantees it, but a page from an insecure origin has none. */
function hasSubtle(crypto: Partial<WebCrypto> | undefined): boolean {
  return crypto?.subtle !== undefined
}
