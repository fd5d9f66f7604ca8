import type { Failure } from '@sealpost/ui'
import type { Words } from '../../words/en/index.ts'

/** The problems of a value, by their place in it, in words. */
export function problemsOf({ data }: Words, failure: Failure | null): Readonly<Record<string, string>> {
  if (failure?.kind !== 'invalid') return {}
  return Object.fromEntries(
    failure.problems.map(({ path, reason }) => [String(path[0] ?? ''), data.problems[reason] ?? data.problem]),
  )
}
