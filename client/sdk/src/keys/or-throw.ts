import type { Result } from '@sealpost/kernel'
import { SealingError, type SealingRefusal } from './sealing-error.ts'

export function orThrow<T>(result: Result<T, SealingRefusal>): T {
  if (!result.ok) throw new SealingError(result.refusal)
  return result.value
}
