import { createCryptoPlatform, isWrapper, isWrapperObject } from '@sealpost/crypto'

/** A detail of `request.invalid`. */
export interface Detail {
  path: string
  message: string
}

/** The limits of one inline value, and of all values of one connect: both are bound by the size of an ask. */
export const INLINE_MAX_CHARS = 16 * 1024
export const INLINE_TOTAL_MAX_BYTES = 192 * 1024
/** The limit of all answers together, as JSON. */
export const ANSWERS_MAX_BYTES = 240 * 1024

const platform = createCryptoPlatform(globalThis)

/** The wrapper as text, from either of its two forms; null for anything else. */
export function readSealed(value: unknown): string | null {
  if (isWrapper(platform, value)) return value
  return isWrapperObject(platform, value) ? JSON.stringify(value) : null
}
