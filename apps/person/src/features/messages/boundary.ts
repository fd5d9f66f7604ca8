import type { MessageView } from '../../worker/commands/messages.ts'

type Receipt = Pick<MessageView, 'id' | 'isOwn' | 'isBroadcast' | 'readAt'>

/** Messages of the company that it was not told about; broadcasts have no receipt. Oldest first, as given. */
export function unreadOf<M extends Receipt>(messages: readonly M[]): readonly M[] {
  return messages.filter(({ isOwn, isBroadcast, readAt }) => !isOwn && !isBroadcast && readAt === null)
}
