import { randomBytes, randomFillSync } from 'node:crypto'
import { type Clock, createIds, type Ids, instant, type Random } from '@sealpost/kernel'

export const systemClock: Clock = { now: () => instant(Date.now()) }

const POOL_BYTES = 4096
const LARGEST_FROM_POOL = 64
const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Ids take a few bytes many times a second: they come from a pool, whose bytes are wiped as they are handed out. */
export const systemRandom: Random = {
  bytes(length) {
    if (length > LARGEST_FROM_POOL) return randomBytes(length)
    if (used + length > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const taken = pool.slice(used, used + length)
    pool.fill(0, used, used + length)
    used += length
    return taken
  },
}

export function systemIds(): Ids {
  return createIds(systemClock, systemRandom)
}
