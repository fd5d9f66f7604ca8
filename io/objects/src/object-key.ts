import type { Brand, Random } from '@sealpost/kernel'

/** The name of an object in a bucket: random, so that it reveals nothing and is unique. */
export type ObjectKey = Brand<string, 'ObjectKey'>

const KEY = /^[0-9a-f]{48}$/
const KEY_BYTES = 24

/**
 * Keys are never reused: servers differ in whether they honour "only if absent" (one tested here overwrites silently),
 * so nothing relies on it. PostgreSQL knows the owner of each key.
 */
export function objectKey(random: Random): ObjectKey {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the maker of the brand
  return Buffer.from(random.bytes(KEY_BYTES)).toString('hex') as ObjectKey
}

export function parseObjectKey(text: string): ObjectKey | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser of the brand
  return KEY.test(text) ? (text as ObjectKey) : null
}
