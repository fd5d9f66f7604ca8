import { type CustomerClient, type Hint, isSealpostError } from '@sealpost/sdk'
import type { PersonContext, Topic } from './context.ts'

const EVERYTHING: readonly Topic[] = ['data', 'connections', 'devices', 'papers', 'messages', 'approvals', 'flows']

/** What pages read again when the platform says that something has changed. Kinds of a newer platform are ignored. */
const TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  challenge_raised: ['approvals'],
  challenge_closed: ['approvals'],
  connection_created: ['connections', 'data', 'approvals'],
  connection_deleted: ['connections', 'data', 'approvals'],
  connect_request_received: ['connections'],
  connect_request_closed: ['connections'],
  document_created: ['papers'],
  document_updated: ['papers'],
  document_status_changed: ['papers', 'flows'],
  document_deleted: ['papers'],
  message_received: ['messages'],
  message_sent: ['messages'],
  messages_read: ['messages'],
  consent_requested: ['connections'],
  value_changed: ['data', 'connections'],
  answers_changed: ['connections'],
  flow_run_turn: ['flows'],
  flow_completed: ['flows', 'connections', 'data'],
  flow_cancelled: ['flows', 'papers'],
  reread: EVERYTHING,
}

export function topicsOf({ kind }: Pick<Hint, 'kind'>): readonly Topic[] {
  return TOPICS[kind] ?? []
}

/** Follows the stream of the account until the signal ends it. `onEnded`: the session has ended at the platform. */
export async function followHints(
  { changed }: Pick<PersonContext, 'changed'>,
  client: Pick<CustomerClient, 'hints'>,
  signal: AbortSignal,
  onEnded: () => void = () => {},
): Promise<void> {
  try {
    for await (const hint of client.hints({ signal })) {
      const topics = topicsOf(hint)
      if (topics.length > 0) changed(...topics)
    }
  } catch (error) {
    // Ended by the signal, or refused for another reason: the next page that reads is refused too, and says so.
    if (!signal.aborted && isSealpostError(error, 'session.expired')) onEnded()
  }
}
