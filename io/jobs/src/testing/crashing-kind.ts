import type { JobKind } from '../contract.ts'

export const crashing: JobKind<object, number> = {
  name: 'test.crashing',
  queue: { name: 'crashing', concurrency: 1, leaseMs: 1500 },
}
