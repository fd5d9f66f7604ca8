import type { MessageView } from '../../worker/commands/messages.ts'

type Receipt = Pick<MessageView, 'id' | 'isOwn' | 'readAt'>

/** Messages and broadcasts of the company that are not acknowledged. Oldest first, as given. */
export function unreadOf<M extends Receipt>(messages: readonly M[]): readonly M[] {
  return messages.filter(({ isOwn, readAt }) => !isOwn && readAt === null)
}
