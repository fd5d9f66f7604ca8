import type { OutgoingView, ThreadView } from '../../worker/commands/messages.ts'

/** What stands below the thread: each message in one place, from the moment it was sent. */
export function onTheirWay(
  outgoing: readonly OutgoingView[],
  { arrived }: Pick<ThreadView, 'arrived'>,
): readonly OutgoingView[] {
  return outgoing.filter(({ key }) => !arrived.includes(key))
}
