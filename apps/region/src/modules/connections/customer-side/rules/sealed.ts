import { createCryptoPlatform, isWrapper, wrapperObjectText } from '@sealpost/crypto'

/** A detail of `request.invalid`. */
export interface Detail {
  path: string
  message: string
}

const platform = createCryptoPlatform(globalThis)

/** The wrapper as text, from either of its two forms; null for anything else. */
export function readSealed(value: unknown): string | null {
  return isWrapper(platform, value) ? value : wrapperObjectText(platform, value)
}
