import { Failed, type Failure, Notice } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../words/index.ts'

/** Why an act failed: in the app's words where it refused itself. */
export function Problem({ failure }: { readonly failure: Failure | null }): ReactNode {
  const words = useWords()
  if (failure === null) return null
  const own = failure.kind === 'own' ? words.refusals[failure.key] : undefined
  return own === undefined ? <Failed failure={failure} /> : <Notice kind="bad" what={own.what} next={own.next} />
}
