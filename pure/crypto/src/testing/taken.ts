import type { Result } from '@sealpost/kernel'

/** For tests: what a function accepted, or an error with its refusal. */
export function taken<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal}`)
  return result.value
}
