import type { Bytes } from '../web-crypto.ts'
import { type Base64Codec, decodedLength, hasZeroTail } from './base64.ts'

interface Host {
  readonly Uint8Array?: unknown
  readonly Buffer?: unknown
}

/** The host's native base64, restricted to [Note: one text per value]; null when it has none. */
export function findNativeBase64(host: Host): Base64Codec | null {
  if (isModernUint8Array(host.Uint8Array)) return modernCodec(host.Uint8Array)
  return isNodeBuffer(host.Buffer) ? bufferCodec(host.Buffer) : null
}

/** ES2026: browsers since 2025. */
interface ModernUint8Array {
  readonly prototype: { toBase64(this: Uint8Array): string }
  fromBase64(text: string, options: { readonly lastChunkHandling: 'strict' }): Bytes
}

function modernCodec(native: ModernUint8Array): Base64Codec {
  return {
    encode: (bytes) => native.prototype.toBase64.call(bytes),
    decode(text) {
      try {
        const bytes = native.fromBase64(text, { lastChunkHandling: 'strict' })
        // It skips white space; this comparison detects that: every skipped character makes the text too long.
        return bytes.length === decodedLength(text) ? bytes : null
      } catch {
        return null
      }
    },
  }
}

interface NodeBuffer {
  from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer>
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string }
  byteLength(text: string, encoding: 'utf8'): number
}

function bufferCodec(native: NodeBuffer): Base64Codec {
  return {
    encode: ({ buffer, byteOffset, byteLength }) => native.from(buffer, byteOffset, byteLength).toString('base64'),
    decode(text) {
      const length = decodedLength(text)
      if (length === null || !isPlainAlphabet(native, text) || !hasZeroTail(text)) return null
      const bytes = native.from(text, 'base64')
      // It skips unknown characters and stops at the first `=`: both leave fewer bytes than the length of the text
      // implies.
      return bytes.length === length ? new Uint8Array(bytes.buffer, bytes.byteOffset, length) : null
    },
  }
}

/** Buffer reads the url alphabet too, and takes only the low byte of a wide character: U+0141 counts as `A`. */
function isPlainAlphabet(native: NodeBuffer, text: string): boolean {
  return !text.includes('-') && !text.includes('_') && native.byteLength(text, 'utf8') === text.length
}

function isModernUint8Array(value: unknown): value is ModernUint8Array {
  return typeof value === 'function' && 'fromBase64' in value && hasMember(value.prototype, 'toBase64')
}

function isNodeBuffer(value: unknown): value is NodeBuffer {
  return typeof value === 'function' && 'byteLength' in value && 'from' in value
}

function hasMember(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && name in value
}
