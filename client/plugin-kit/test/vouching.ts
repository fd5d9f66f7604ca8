import { isVouchedKey } from '@sealpost/crypto'
import { hostPlatform } from '../src/host.ts'
import type { PublishedManifest } from '../src/index.ts'

/** Whether a client that knows this key takes the one of the manifest, without asking its person. */
export function isVouched(known: string, { public_key, key_rollovers }: PublishedManifest): Promise<boolean> {
  return isVouchedKey(hostPlatform(), known, public_key, key_rollovers)
}
