import { type CustomerClient, isSealpostError } from '@sealpost/sdk'
import { workerFailure } from './failure-of.ts'
import type { MessageStore, OutgoingMessage, StoredDraft } from './message-store.ts'
import type { OwnSealing } from './own-sealing.ts'
import type { Topic } from './topic.ts'

/** Sends what the person has written, also after a time without a network, and each message once. */
export interface Outbox {
  /** Takes a finished draft; from here on it is on its way. */
  add(draft: StoredDraft, createdAt: string): Promise<void>
  /** Sends everything that waits. */
  flush(): Promise<void>
  /** Whether it is being sent at this moment. */
  isSending(key: string): boolean
}

export interface OutboxUses {
  readonly client: { readonly messages: Pick<CustomerClient['messages'], 'seal' | 'sendSealed'> }
  readonly own: OwnSealing
  readonly store: MessageStore
  readonly changed: (...topics: readonly Topic[]) => void
  /** Asks for another attempt later. */
  readonly again: () => void
  readonly signal: AbortSignal
}

export function openOutbox(uses: OutboxUses): Outbox {
  const { store, changed } = uses
  let sending: string | null = null
  let running: Promise<void> | null = null
  let isAsked = false
  const run = async (): Promise<void> => {
    do {
      isAsked = false
      for (const message of await store.listOutgoing()) {
        if (uses.signal.aborted) return
        if (message.refusal !== null) continue
        sending = message.key
        changed('messages')
        const outcome = await attempt(uses, message)
        sending = null
        changed('messages')
        // The order of the messages stays: nothing overtakes one that waits.
        if (outcome === 'waits') return uses.again()
      }
    } while (isAsked)
  }
  const flush = async (): Promise<void> => {
    isAsked = true
    running ??= run().finally(() => {
      running = null
    })
    await running
  }
  return {
    flush,
    isSending: (key) => key === sending,
    async add(draft, createdAt) {
      const isKnown = (await store.listOutgoing()).some(({ key }) => key === draft.key)
      if (!isKnown) await store.writeOutgoing({ ...draft, theirs: null, createdAt, refusal: null })
      await store.deleteDraft(draft.connectionId)
      changed('messages')
    },
  }
}

/** `waits`: the platform could not be reached, or asked for patience. */
async function attempt(uses: OutboxUses, message: OutgoingMessage): Promise<'over' | 'waits'> {
  const { client, store } = uses
  const { connectionId, key } = message
  try {
    const { theirs, own } = await sealed(uses, message)
    await client.messages.sendSealed(connectionId, { body: theirs, sender_body: own }, { idempotencyKey: key })
  } catch (error) {
    if (uses.signal.aborted || isPassing(error)) return 'waits'
    await store.writeOutgoing({ ...message, refusal: workerFailure(error) })
    return 'over'
  }
  // In this order: a draft with the key of a message that has arrived would be sent under a used key.
  if ((await store.readDraft(connectionId))?.key === key) await store.deleteDraft(connectionId)
  await store.deleteOutgoing(key)
  return 'over'
}

function isPassing(error: unknown): boolean {
  if (!isSealpostError(error)) return workerFailure(error).kind === 'offline'
  return error.status >= 500 || error.status === 429 || error.key === 'idempotency.in_progress'
}

/** Sealed once and kept before it is sent: a repeat with other bytes under the same key would be refused. */
async function sealed(
  { client, own, store }: OutboxUses,
  message: OutgoingMessage,
): Promise<{ readonly theirs: string; readonly own: string }> {
  if (message.theirs !== null) return { theirs: message.theirs, own: message.own }
  const made = await client.messages.seal(message.connectionId, await own.open(message.own))
  const both = { theirs: made.body, own: made.sender_body }
  await store.writeOutgoing({ ...message, ...both })
  return both
}
