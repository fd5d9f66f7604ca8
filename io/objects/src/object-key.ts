import type { Brand, Random } from '@sealpost/kernel'

/** The name of an object in a bucket: random, so that it tells nothing and never meets another. */
export type ObjectKey = Brand<string, 'ObjectKey'>

const KEY = /^[0-9a-f]{48}$/
const KEY_BYTES = 24

/**
 * [Note: fresh keys] Servers differ in whether they honour "only if absent" (one tried here overwrites in silence), so
 * nothing relies on it: every object gets a key that was never used before, and PostgreSQL knows which key is whose.
 */
export function objectKey(random: Random): ObjectKey {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the maker of the brand
  return Buffer.from(random.bytes(KEY_BYTES)).toString('hex') as ObjectKey
}

export function parseObjectKey(text: string): ObjectKey | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser of the brand
  return KEY.test(text) ? (text as ObjectKey) : null
}
