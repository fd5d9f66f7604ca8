import type { ErrorText, ErrorTexts, UiWords } from '@sealpost/ui'
import { describeFailure, type Failure } from '@sealpost/ui/failure'

/** Why something failed: in the app's words where it refused itself, or where they say more. */
export function problemText(refusals: ErrorTexts, ui: UiWords, failure: Failure): ErrorText {
  return refusals[ownKeyOf(failure)] ?? describeFailure(ui, failure)
}

function ownKeyOf(failure: Failure): string {
  if (failure.kind === 'own') return failure.key
  return failure.kind === 'untrusted' ? failure.reason : ''
}
