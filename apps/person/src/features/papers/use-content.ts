import { type Failure, failureOf } from '@sealpost/ui'
import { useEffect, useState } from 'react'
import { call } from '../../shell/worker.ts'
import type { PaperContent, PaperView } from '../../worker/commands/papers.ts'

export type Content =
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly failure: Failure; readonly again: () => void }
  | { readonly state: 'ready'; readonly content: PaperContent }

/** Opens a paper, and again when its content was replaced. It is not kept: a file may be large. */
export function useContent({ connectionId, id, contentSha256, updatedAt }: PaperView): Content {
  const [attempt, setAttempt] = useState(0)
  // A broadcast has no digest; its time says that it was changed.
  const wanted = [connectionId, id, contentSha256 ?? updatedAt, attempt].join(' ')
  const [opened, setOpened] = useState<{ readonly of: string; readonly content: Content }>()
  useEffect(() => {
    let isLeft = false
    const show = (content: Content): void => {
      if (!isLeft) setOpened({ of: wanted, content })
    }
    call('openPaper', { connectionId, id }).then(
      (content) => show({ state: 'ready', content }),
      (error: unknown) =>
        show({ state: 'failed', failure: failureOf(error), again: () => setAttempt((made) => made + 1) }),
    )
    return () => {
      isLeft = true
    }
  }, [wanted, connectionId, id])
  return opened?.of === wanted ? opened.content : { state: 'pending' }
}
