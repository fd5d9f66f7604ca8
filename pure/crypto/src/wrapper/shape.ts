import type { CryptoPlatform } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'

export interface Wrapper {
  readonly sealedKey: Bytes
  readonly iv: Bytes
  readonly sealedText: Bytes
}

export const IV_BYTES = 12
export const TAG_BYTES = 16
const SEALED_KEY_BYTES = 256

type Decoder = Pick<CryptoPlatform, 'base64'>

/** The server's check of a value that must be encrypted: exact to the last character, and no cryptography. */
export function isWrapper(platform: Decoder, value: unknown): value is string {
  return readWrapper(platform, value) !== null
}

/** For the few places of the wire that also accept the object itself: its text, in our own layout; else null. */
export function wrapperObjectText(platform: Decoder, value: unknown): string | null {
  const members = membersOf(value)
  if (members === null || decodeMembers(platform, members) === null) return null
  const { k, iv, d } = members
  return `{"_enc":1,"k":"${k}","iv":"${iv}","d":"${d}"}`
}

/** Null for everything but the text of an object with exactly `_enc` = 1, `k`, `iv` and `d` of the right sizes. */
export function readWrapper(platform: Decoder, value: unknown): Wrapper | null {
  if (typeof value !== 'string') return null
  const members = sliceMembers(value) ?? membersOf(parseJson(value))
  return members === null ? null : decodeMembers(platform, members)
}

/** The layout that `sliceMembers` expects. base64 holds nothing that JSON would escape. */
export function writeWrapper({ base64 }: Decoder, { sealedKey, iv, sealedText }: Wrapper): string {
  return `{"_enc":1,"k":"${base64.encode(sealedKey)}","iv":"${base64.encode(iv)}","d":"${base64.encode(sealedText)}"}`
}

interface Members {
  readonly k: string
  readonly iv: string
  readonly d: string
}

const HEAD = /^\{"_enc":1,"k":"([^"\\]{344})","iv":"([^"\\]{16})","d":"/

/**
 * Our own layout is sliced in place: parsing 7 MB of JSON costs more than decrypting them. The slices need no check for
 * quotes and backslashes: base64 has neither, so decoding refuses them.
 */
function sliceMembers(text: string): Members | null {
  const [head, k, iv] = HEAD.exec(text) ?? []
  if (head === undefined || k === undefined || iv === undefined || !text.endsWith('"}')) return null
  return { k, iv, d: text.slice(head.length, -2) }
}

function membersOf(value: unknown): Members | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 4) return null
  const { _enc, k, iv, d }: Partial<Record<string, unknown>> = { ...value }
  if (_enc !== 1 || typeof k !== 'string' || typeof iv !== 'string' || typeof d !== 'string') return null
  return { k, iv, d }
}

function decodeMembers({ base64 }: Decoder, { k, iv, d }: Members): Wrapper | null {
  const sealedKey = k.length === 344 ? base64.decode(k) : null
  const nonce = iv.length === 16 ? base64.decode(iv) : null
  if (sealedKey?.length !== SEALED_KEY_BYTES || nonce?.length !== IV_BYTES) return null
  const sealedText = base64.decode(d)
  return sealedText !== null && sealedText.length >= TAG_BYTES ? { sealedKey, iv: nonce, sealedText } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
