import { useRead } from './worker.ts'

/** What waits in the inbox; only messages wait: then the inbox opens with them. */
export interface Waiting {
  /** Null where it could not be read. */
  readonly total: number | null
  readonly isMessages: boolean
}

export function useWaiting(): Waiting {
  const papers = useRead('listWaitingPapers', 'papers')
  const threads = useRead('listThreads', 'messages')
  const asked = papers.state === 'ready' ? papers.value.length : 0
  const unread = threads.state === 'ready' ? threads.value.reduce((sum, thread) => sum + thread.unread, 0) : 0
  const isKnown = papers.state !== 'failed' && threads.state !== 'failed'
  return { total: isKnown ? asked + unread : null, isMessages: asked === 0 && unread > 0 }
}
