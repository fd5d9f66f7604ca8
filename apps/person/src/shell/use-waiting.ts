import { useRead } from './use-read.ts'

/** What waits in the inbox; only messages wait: then the inbox opens with them. */
export interface Waiting {
  readonly total: number
  readonly isMessages: boolean
}

export function useWaiting(): Waiting {
  const papers = useRead('listWaitingPapers', 'papers')
  const threads = useRead('listThreads', 'messages')
  const asked = papers.state === 'ready' ? papers.value.length : 0
  const unread = threads.state === 'ready' ? threads.value.reduce((sum, thread) => sum + thread.unread, 0) : 0
  return { total: asked + unread, isMessages: asked === 0 && unread > 0 }
}
