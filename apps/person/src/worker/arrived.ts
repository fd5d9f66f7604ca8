import type { OutgoingMessage } from './message-store.ts'

/**
 * Keys of messages that wait here although the platform has them: the answer to their sending was lost, or is on its way.
 * The copy for the own key has the same bytes on both sides, so no two messages are confused.
 */
export function arrivedKeys(
  outgoing: readonly Pick<OutgoingMessage, 'key' | 'own'>[],
  messages: readonly { readonly body: string | null }[],
): readonly string[] {
  const stored = new Set(messages.map(({ body }) => body))
  return outgoing.filter(({ own }) => stored.has(own)).map(({ key }) => key)
}
