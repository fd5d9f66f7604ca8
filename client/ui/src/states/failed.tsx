import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { useUiWords } from '../words/ui-words.ts'
import { describeFailure, type Failure } from './failure.ts'
import { Notice } from './notice.tsx'

/** What happened and what to do, with a way to try again where that can help. */
export function Failed({ failure, onAgain }: { readonly failure: Failure; readonly onAgain?: () => void }): ReactNode {
  const words = useUiWords()
  const { what, next } = describeFailure(words, failure)
  const again = onAgain === undefined ? {} : { act: <Button onClick={onAgain}>{words.failure.again}</Button> }
  return <Notice kind="bad" what={what} next={next} {...again} />
}
