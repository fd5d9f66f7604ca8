import { Button, describeFailure, type Failure, Notice, useUiWords } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../words/index.ts'

/** Why something failed: in the app's words where it refused itself, or where they say more. */
export function Problem({
  failure,
  onAgain,
}: {
  readonly failure: Failure | null
  readonly onAgain?: () => void
}): ReactNode {
  const { refusals } = useWords()
  const ui = useUiWords()
  if (failure === null) return null
  const { what, next } = refusals[ownKeyOf(failure)] ?? describeFailure(ui, failure)
  const again = onAgain === undefined ? {} : { act: <Button onClick={onAgain}>{ui.failure.again}</Button> }
  return <Notice kind="bad" what={what} next={next} {...again} />
}

function ownKeyOf(failure: Failure): string {
  if (failure.kind === 'own') return failure.key
  return failure.kind === 'untrusted' ? failure.reason : ''
}
