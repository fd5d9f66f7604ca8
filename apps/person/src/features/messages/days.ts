import type { MessageView } from '../../worker/commands/messages.ts'

export interface Day {
  readonly day: string
  readonly messages: readonly MessageView[]
}

/** Messages in their order, apart by the day as it is written. */
export function daysOf(messages: readonly MessageView[], dayOf: (at: string) => string): readonly Day[] {
  const days: { day: string; messages: MessageView[] }[] = []
  for (const message of messages) {
    const day = dayOf(message.at)
    const last = days.at(-1)
    if (last?.day === day) last.messages.push(message)
    else days.push({ day, messages: [message] })
  }
  return days
}
