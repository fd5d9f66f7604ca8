import { useEffect, useRef, useSyncExternalStore } from 'react'
import { call } from '../../shell/worker.ts'
import type { MessageView } from '../../worker/commands/messages.ts'
import { unreadOf } from './boundary.ts'

/**
 * Tells the company what was read, while the thread is on the screen. Answers where the new ones began when the page was
 * opened: the mark stays although they have been acknowledged.
 */
export function useAcknowledge(connectionId: string, messages: readonly MessageView[]): string | null {
  const unread = unreadOf(messages)
  const first = useRef<string | null>(null)
  if (first.current === null && unread.length > 0) first.current = unread[0]?.id ?? null
  const boundary = unread.at(-1)?.id
  const isSeen = useSyncExternalStore(subscribe, isVisible, isVisible)
  useEffect(() => {
    if (boundary === undefined || !isSeen) return
    // Without a network it stays unread, and the next reading of the thread acknowledges it.
    call('acknowledgeMessages', { connectionId, messageId: boundary }).catch(() => {})
  }, [boundary, connectionId, isSeen])
  return first.current
}

function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

function subscribe(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
