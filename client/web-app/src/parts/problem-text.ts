import type { ErrorText, ErrorTexts, UiWords } from '@sealpost/ui'
import { describeFailure, type Failure } from '@sealpost/ui/failure'

/** Why something failed: in the app's words where it has some for the key, else in those of every app. */
export function problemText(refusals: ErrorTexts, ui: UiWords, failure: Failure): ErrorText {
  const own = refusals[keyOf(failure)]
  if (own === undefined) return describeFailure(ui, failure)
  if (failure.kind !== 'refused' || failure.retryAfterSeconds === undefined) return own
  return { ...own, next: `${own.next} ${ui.failure.waitSeconds(failure.retryAfterSeconds)}` }
}

function keyOf(failure: Failure): string {
  if (failure.kind === 'own' || failure.kind === 'refused') return failure.key
  return failure.kind === 'untrusted' ? failure.reason : ''
}
