import { randomBytes } from 'node:crypto'
import { type Clock, createIds, type Ids, instant, type Random } from '@sealpost/kernel'

export const systemClock: Clock = { now: () => instant(Date.now()) }

export const systemRandom: Random = { bytes: (length) => randomBytes(length) }

export function systemIds(): Ids {
  return createIds(systemClock, systemRandom)
}
