import type { ListedMessage } from '../model.ts'

/** Messages and broadcasts as one list, in falling order of ids. */
export function newest(
  messages: readonly ListedMessage[],
  broadcasts: readonly ListedMessage[],
): readonly ListedMessage[] {
  return [...messages, ...broadcasts].toSorted((one, other) => (one.id < other.id ? 1 : -1))
}
