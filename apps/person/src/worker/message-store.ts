import type { RunStored } from '@sealpost/session/worker'
import type { Failure } from '@sealpost/ui/failure'

/** What the person has written and the platform does not have yet. All of it is sealed: it rests on the device. */
export interface MessageStore {
  readDraft(connectionId: string): Promise<StoredDraft | null>
  /** The same draft with another text keeps its key. */
  writeDraft(draft: StoredDraft): Promise<void>
  deleteDraft(connectionId: string): Promise<void>
  /** Oldest first. */
  listOutgoing(): Promise<readonly OutgoingMessage[]>
  writeOutgoing(message: OutgoingMessage): Promise<void>
  deleteOutgoing(key: string): Promise<void>
}

/** A message that is being written. */
export interface StoredDraft {
  readonly connectionId: string
  /** Its Idempotency-Key from the first letter on: however often it is sent, it arrives once. */
  readonly key: string
  /** Sealed to the own key. */
  readonly own: string
}

/** A message on its way. */
export interface OutgoingMessage extends StoredDraft {
  /** Sealed to the service; null until the platform has answered its key. Kept, because a repeat must be the same. */
  readonly theirs: string | null
  readonly createdAt: string
  /** Why the platform does not take it; null while it may still arrive. */
  readonly refusal: Failure | null
}

export const DRAFTS = 'drafts'
export const OUTGOING = 'outgoing'

export function messageStore(run: RunStored, accountId: string): MessageStore {
  const nameOf = (part: string): string => `${accountId} ${part}`
  return {
    async readDraft(id) {
      const found = await run<unknown>(DRAFTS, 'readonly', (rows) => rows.get(nameOf(id)))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeDraft` stores there
      return (found as StoredDraft | undefined) ?? null
    },
    async writeDraft(draft) {
      await run(DRAFTS, 'readwrite', (rows) => rows.put(draft, nameOf(draft.connectionId)))
    },
    async deleteDraft(id) {
      await run(DRAFTS, 'readwrite', (rows) => rows.delete(nameOf(id)))
    },
    async listOutgoing() {
      const own = IDBKeyRange.bound(nameOf(''), nameOf('\uffff'))
      // oxlint-disable-next-line typescript/no-unsafe-return -- only `writeOutgoing` stores there
      const found = await run<OutgoingMessage[]>(OUTGOING, 'readonly', (rows) => rows.getAll(own))
      return found.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
    },
    async writeOutgoing(message) {
      await run(OUTGOING, 'readwrite', (rows) => rows.put(message, nameOf(message.key)))
    },
    async deleteOutgoing(key) {
      await run(OUTGOING, 'readwrite', (rows) => rows.delete(nameOf(key)))
    },
  }
}
