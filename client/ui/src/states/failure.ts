import type { ErrorText } from '../words/error-text.ts'
import type { UiWords } from '../words/ui/en.ts'

/** Why something did not happen, as plain data: it comes from a worker. */
export type Failure =
  /** The platform refused; `key` is the reason. */
  | {
      readonly kind: 'refused'
      readonly key: string
      readonly requestId?: string | undefined
      readonly retryAfterSeconds?: number | undefined
      /** It could not answer now; a later attempt may succeed. */
      readonly isPassing?: boolean
    }
  | { readonly kind: 'offline' }
  /** The answer contradicts what this device knows. */
  | { readonly kind: 'untrusted'; readonly reason: string }
  /** A value is not valid for its type; by path in the value. */
  | { readonly kind: 'invalid'; readonly problems: readonly ValueProblem[] }
  | { readonly kind: 'locked' }
  /** A rule of the app itself; the page has its own words for it. */
  | { readonly kind: 'own'; readonly key: string }
  | { readonly kind: 'unexpected'; readonly message: string }

export interface ValueProblem {
  readonly path: readonly (string | number)[]
  readonly reason: string
}

/** The error that carries a failure through promises. */
export class FailureError extends Error {
  override readonly name = 'FailureError'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.kind === 'refused' || failure.kind === 'own' ? `${failure.kind}: ${failure.key}` : failure.kind)
    this.failure = failure
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure
  return { kind: 'unexpected', message: error instanceof Error ? error.message : String(error) }
}

export function describeFailure({ failure: words, errors }: UiWords, failure: Failure): ErrorText {
  if (failure.kind === 'own') return words.unexpected
  if (failure.kind !== 'refused') return words[failure.kind]
  const { what, next } = errors[failure.key] ?? words.unexpected
  const { retryAfterSeconds } = failure
  return { what, next: retryAfterSeconds === undefined ? next : `${next} ${words.waitSeconds(retryAfterSeconds)}` }
}
