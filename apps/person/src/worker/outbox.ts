import type { CustomerClient } from '@sealpost/sdk'
import { workerFailure } from '@sealpost/web-app/worker'
import type { MessageStore, OutgoingMessage, StoredDraft } from './message-store.ts'
import type { OwnSealing } from './own-sealing.ts'
import type { Topic } from './topic.ts'

/** Sends what the person has written, also after a time without a network, and each message once. */
export interface Outbox {
  /** Takes a finished draft; from here on it is on its way. */
  add(draft: StoredDraft, createdAt: string): Promise<void>
  /** Sends everything that waits. */
  flush(): Promise<void>
  /** What a page shows as on its way, oldest first: also a message that has arrived and was not read back yet. */
  list(): Promise<readonly OutgoingMessage[]>
  /** Whether it is being sent at this moment, or has been sent. */
  isSending(key: string): boolean
  /** The thread shows these messages now. */
  found(keys: readonly string[]): void
  /** All that were found since the account was opened. */
  readonly arrived: ReadonlySet<string>
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
  const sent = new Map<string, OutgoingMessage>()
  const arrived = new Set<string>()
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
        const outcome = await attempt(uses, message, (gone) => sent.set(gone.key, gone))
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
    isSending: (key) => key === sending || sent.has(key),
    async list() {
      const stored = await store.listOutgoing()
      const gone = [...sent.values()].filter(({ key }) => !stored.some((message) => message.key === key))
      return [...stored, ...gone].toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
    },
    found(keys) {
      for (const key of keys) {
        arrived.add(key)
        sent.delete(key)
      }
    },
    arrived,
    async add(draft, createdAt) {
      const isKnown = (await store.listOutgoing()).some(({ key }) => key === draft.key)
      if (!isKnown) await store.writeOutgoing({ ...draft, theirs: null, createdAt, refusal: null })
      await store.deleteDraft(draft.connectionId)
      changed('messages')
    },
  }
}

/** `waits`: the platform could not be reached, or asked for patience. */
async function attempt(
  uses: OutboxUses,
  message: OutgoingMessage,
  onSent: (message: OutgoingMessage) => void,
): Promise<'over' | 'waits'> {
  const { client, store } = uses
  const { connectionId, key } = message
  try {
    const { theirs, own } = await sealed(uses, message)
    await client.messages.sendSealed(connectionId, { body: theirs, sender_body: own }, { idempotencyKey: key })
    onSent({ ...message, theirs, own })
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
  const failure = workerFailure(error)
  if (failure.kind !== 'refused') return failure.kind === 'offline'
  return failure.isPassing === true || failure.key === 'idempotency.in_progress'
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
