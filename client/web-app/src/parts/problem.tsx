import { Button, type Failure, Notice, useUiWords } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWebAppWords } from '../words/index.ts'
import { problemText } from './problem-text.ts'

/** Why something failed. */
export function Problem({
  failure,
  onAgain,
}: {
  readonly failure: Failure | null
  readonly onAgain?: () => void
}): ReactNode {
  const { refusals } = useWebAppWords()
  const ui = useUiWords()
  if (failure === null) return null
  const { what, next } = problemText(refusals, ui, failure)
  const again = onAgain === undefined ? {} : { act: <Button onClick={onAgain}>{ui.failure.again}</Button> }
  return <Notice kind="bad" what={what} next={next} {...again} />
}
