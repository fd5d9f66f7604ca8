import type { Result } from '@sealpost/kernel'

/** For tests: the accepted value, or an error with the refusal. */
export function taken<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal}`)
  return result.value
}
