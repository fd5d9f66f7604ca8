import type { KeyRollover } from './key-rollover.ts'
import { checkRollovers, nextRollovers } from './key-rollovers.ts'
import { readPrivateKey } from './private-key.ts'

export interface KeyChange {
  /** The private key until now, as PEM. */
  readonly previous: string
  /** The private key from now on, as PEM. */
  readonly next: string
  /** What `openPlugin` was given with the previous key. */
  readonly earlier?: readonly KeyRollover[]
}

/** `keyRollovers` for `openPlugin` with the next key: the previous one vouches for it. */
export async function rollOverKey({ previous, next, earlier = [] }: KeyChange): Promise<readonly KeyRollover[]> {
  const former = await readPrivateKey(previous)
  const { publicKey } = await readPrivateKey(next)
  return nextRollovers(await checkRollovers(earlier, former.publicKey), former, publicKey)
}
