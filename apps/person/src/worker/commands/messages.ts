import type { OwnMessageRecord } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import type { Failure } from '@sealpost/ui/failure'
import { arrivedKeys } from '../arrived.ts'
import type { OpenAccount, PersonContext } from '../context.ts'
import { type MessageStore, messageStore, type OutgoingMessage } from '../message-store.ts'
import { listParties, type Party, readParty } from '../parties.ts'

/** A line of the list of threads. */
export interface ThreadHeadView extends Party {
  readonly connectionId: string
  readonly unread: number
  readonly newest: { readonly text: string | null; readonly isOwn: boolean; readonly at: string } | null
  /** What is written and has not been sent. */
  readonly hasDraft: boolean
  /** Messages that are on their way, or were refused. */
  readonly outgoing: number
}

export interface MessageView {
  readonly id: string
  readonly isOwn: boolean
  /** To all customers, and not sealed. */
  readonly isBroadcast: boolean
  /** Null when this device could not open it. */
  readonly text: string | null
  readonly at: string
  readonly readAt: string | null
}

export interface OutgoingView {
  readonly key: string
  readonly text: string
  readonly at: string
  readonly state: 'sending' | 'waiting' | 'refused'
  readonly refusal: Failure | null
}

export interface ThreadView extends Party {
  /** Oldest first. */
  readonly messages: readonly MessageView[]
  readonly hasEarlier: boolean
  /** Keys of own messages that are among them: they are not on their way any more. */
  readonly arrived: readonly string[]
}

/** Newest first; connections without a message stand at the end. */
export async function listThreads(context: PersonContext): Promise<readonly ThreadHeadView[]> {
  const open = requireOpen(context)
  const store = storeOf(context)
  const [parties, outgoing] = [await listParties(context), await store.listOutgoing()]
  const heads = [...parties].map(async ([connectionId, party]): Promise<ThreadHeadView> => {
    const { newest, unreadCount: unread } = await open.client.messages.readHead(connectionId)
    return {
      ...party,
      connectionId,
      unread,
      newest: newest === null ? null : await headOf(open, newest),
      hasDraft: (await readOwnDraft(store, outgoing, connectionId)) !== null,
      outgoing: outgoing.filter((message) => message.connectionId === connectionId).length,
    }
  })
  return (await Promise.all(heads)).toSorted((one, other) =>
    (other.newest?.at ?? '').localeCompare(one.newest?.at ?? ''),
  )
}

async function headOf(open: OpenAccount, message: OwnMessageRecord) {
  const { isOwn, at, text } = await viewOf(open, message)
  return { isOwn, at, text }
}

export async function readThread(
  context: PersonContext,
  { connectionId, most }: { readonly connectionId: string; readonly most: number },
): Promise<ThreadView> {
  const open = requireOpen(context)
  const party = await readParty(context, connectionId)
  // Before the list: a message that arrives meanwhile is in both, and never in neither.
  const waiting = await outgoingOf(context, connectionId)
  const found: OwnMessageRecord[] = []
  for await (const message of open.client.messages.list(connectionId)) {
    found.push(message)
    if (found.length > most) break
  }
  const shown = found.slice(0, most).toReversed()
  const messages = await Promise.all(shown.map((message) => viewOf(open, message)))
  open.outbox.found(arrivedKeys(waiting, shown))
  return { ...party, messages, hasEarlier: found.length > most, arrived: [...open.outbox.arrived] }
}

/** What this device still has to send; without a network, too. */
export async function readOutgoing(context: PersonContext, connectionId: string): Promise<readonly OutgoingView[]> {
  const open = requireOpen(context)
  const outgoing = await outgoingOf(context, connectionId)
  return Promise.all(outgoing.map((message) => outgoingView(open, message)))
}

async function outgoingOf(context: PersonContext, connectionId: string): Promise<readonly OutgoingMessage[]> {
  return (await requireOpen(context).outbox.list()).filter((message) => message.connectionId === connectionId)
}

async function viewOf({ client }: OpenAccount, message: OwnMessageRecord): Promise<MessageView> {
  const { message_id: id, from, broadcast, created_at: at, read_at: readAt } = message
  const text = await client.messages.open(message).catch(() => null)
  return { id, isOwn: from === 'person', isBroadcast: broadcast === true, text, at, readAt }
}

async function outgoingView({ own, outbox }: OpenAccount, message: OutgoingMessage): Promise<OutgoingView> {
  const { key, createdAt: at, refusal } = message
  const state = refusal !== null ? 'refused' : outbox.isSending(key) ? 'sending' : 'waiting'
  return { key, text: await own.open(message.own), at, state, refusal }
}

export interface DraftView {
  readonly key: string
  readonly text: string
}

/** What was being written in this thread; a new draft has a new key. */
export async function readDraft(context: PersonContext, connectionId: string): Promise<DraftView> {
  const store = storeOf(context)
  const draft = await readOwnDraft(store, await store.listOutgoing(), connectionId)
  if (draft === null) return { key: crypto.randomUUID(), text: '' }
  return { key: draft.key, text: await requireOpen(context).own.open(draft.own) }
}

/** A draft that is on its way already is no draft: the app ended between the two. */
async function readOwnDraft(store: MessageStore, outgoing: readonly OutgoingMessage[], connectionId: string) {
  const draft = await store.readDraft(connectionId)
  return outgoing.some(({ key }) => key === draft?.key) ? null : draft
}

/** Kept on this device, sealed; never sent by itself. */
export async function saveDraft(
  context: PersonContext,
  { connectionId, key, text }: DraftView & { readonly connectionId: string },
): Promise<void> {
  const store = storeOf(context)
  const { own } = requireOpen(context)
  await inOrder(async () => {
    if (text === '') await store.deleteDraft(connectionId)
    else await store.writeDraft({ connectionId, key, own: await own.seal(text) })
  })
}

let last: Promise<void> = Promise.resolve()

/** Letters are typed faster than they are sealed: an earlier text must not be stored over a later one, or after a send. */
function inOrder(write: () => Promise<void>): Promise<void> {
  const written = last.then(write)
  last = written.catch(() => {})
  return written
}

/** Kept first, then sent: with or without a network, and once. */
export async function sendMessage(
  context: PersonContext,
  { connectionId, key, text }: DraftView & { readonly connectionId: string },
): Promise<void> {
  const { own, outbox } = requireOpen(context)
  await inOrder(async () => outbox.add({ connectionId, key, own: await own.seal(text) }, nowText()))
  void outbox.flush()
}

export async function sendAgain(context: PersonContext): Promise<void> {
  await requireOpen(context).outbox.flush()
}

/** A message that the platform has refused becomes a draft again, with a key of its own, before what is being written. */
export async function takeBack(
  context: PersonContext,
  { connectionId, key }: { readonly connectionId: string; readonly key: string },
): Promise<void> {
  const store = storeOf(context)
  const { own } = requireOpen(context)
  await inOrder(async () => {
    const outgoing = await store.listOutgoing()
    const message = outgoing.find((one) => one.key === key && one.refusal !== null)
    if (message === undefined) return
    const draft = await readOwnDraft(store, outgoing, connectionId)
    const texts = [await own.open(message.own), ...(draft === null ? [] : [await own.open(draft.own)])]
    await store.writeDraft({ connectionId, key: crypto.randomUUID(), own: await own.seal(texts.join('\n\n')) })
    await store.deleteOutgoing(key)
  })
  context.changed('messages')
}

/** The service sees that its messages were read, up to this one. */
export async function acknowledgeMessages(
  context: PersonContext,
  { connectionId, messageId }: { readonly connectionId: string; readonly messageId: string },
): Promise<void> {
  await requireOpen(context).client.messages.acknowledge(connectionId, messageId)
  context.changed('messages')
}

function storeOf(context: PersonContext): MessageStore {
  const { accountId } = requireOpen(context)
  return messageStore(context.store.rows(), accountId)
}

function nowText(): string {
  // oxlint-disable-next-line sealpost/time-and-chance -- the clock of this device, until the platform has the message
  return new Date().toISOString()
}
