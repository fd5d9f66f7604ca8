import { randomBytes, randomFillSync } from 'node:crypto'
import { type Clock, createIds, type Ids, instant, type Random, type Scheduler } from '@sealpost/kernel'

export const systemClock: Clock = { now: () => instant(Date.now()) }

/** Its timers do not keep a process alive. */
export const systemScheduler: Scheduler = {
  after(ms, callback) {
    if (ms <= 0) {
      const immediate = setImmediate(callback)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

const POOL_BYTES = 4096
const LARGEST_FROM_POOL = 64
const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Ids take a few bytes many times a second: they come from a pool, whose bytes are wiped as they are returned. */
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
