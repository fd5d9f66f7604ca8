import { createIds } from '@sealpost/kernel'
import { describeIdempotency } from '@sealpost/testkit/conformance/http'
import { describe } from 'vitest'
import { memoryIdempotency } from './memory-store.ts'

describe('the memory store', () => {
  describeIdempotency('in memory', async (clock) => {
    let made = 0
    const ids = createIds(clock, { bytes: (length) => new Uint8Array(length).fill((made += 1)) })
    return { store: memoryIdempotency(clock, ids), transaction: null }
  })
})
