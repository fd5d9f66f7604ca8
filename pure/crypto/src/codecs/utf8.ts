import type { Bytes } from '../web-crypto.ts'

export interface Utf8Codec {
  /** Null for a text with a lone surrogate: it has no UTF-8, and replacing it would change the value silently. */
  encode(text: string): Bytes | null
  /** Null for bytes that are not UTF-8. A byte order mark stays: hashes are taken over the exact text. */
  decode(bytes: Uint8Array): string | null
}

export interface Utf8Host {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array }
  readonly TextDecoder: new (
    label: 'utf-8',
    options: { readonly fatal: true; readonly ignoreBOM: true },
  ) => { decode(bytes: Uint8Array): string }
}

declare global {
  // ES2024, in Node 20 and browsers of 2023; the compiler's ES2023 does not declare it yet.
  interface String {
    isWellFormed(): boolean
  }
}

export function createUtf8Codec({ TextEncoder, TextDecoder }: Utf8Host): Utf8Codec {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return {
    encode: (text) => (text.isWellFormed() ? ownBytes(encoder.encode(text)) : null),
    decode(bytes) {
      try {
        return decoder.decode(bytes)
      } catch {
        return null
      }
    },
  }
}

/** An encoder never returns shared memory; its type does not say so. */
function ownBytes(bytes: Uint8Array): Bytes {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Uint8Array.from(bytes)
}
