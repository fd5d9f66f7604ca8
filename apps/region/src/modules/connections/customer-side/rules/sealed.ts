import { createCryptoPlatform, isWrapper, isWrapperObject } from '@sealpost/crypto'

/** One problem of a call, for `request.invalid`. */
export interface Detail {
  path: string
  message: string
}

/** Of one inline value, and of all that a connect carries: an ask holds no more. */
export const INLINE_MAX_CHARS = 16 * 1024
export const INLINE_TOTAL_MAX_BYTES = 192 * 1024
/** Of all answers together, with what is said about each of them. */
export const ANSWERS_MAX_BYTES = 240 * 1024

const platform = createCryptoPlatform(globalThis)

/** The wrapper as text, whichever of its two forms came; null for anything that is not sealed. */
export function readSealed(value: unknown): string | null {
  if (isWrapper(platform, value)) return value
  return isWrapperObject(platform, value) ? JSON.stringify(value) : null
}
