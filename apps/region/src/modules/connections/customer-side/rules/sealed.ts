import { createCryptoPlatform, isWrapper, isWrapperObject } from '@sealpost/crypto'

/** A detail of `request.invalid`. */
export interface Detail {
  path: string
  message: string
}

const platform = createCryptoPlatform(globalThis)

/** The wrapper as text, from either of its two forms; null for anything else. */
export function readSealed(value: unknown): string | null {
  if (isWrapper(platform, value)) return value
  return isWrapperObject(platform, value) ? JSON.stringify(value) : null
}
