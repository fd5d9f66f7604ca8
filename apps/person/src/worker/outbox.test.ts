import { NetworkError, SealpostError } from '@sealpost/sdk'
import { expect, test } from 'vitest'
import type { MessageStore, OutgoingMessage, StoredDraft } from './message-store.ts'
import { openOutbox } from './outbox.ts'

const AT = '2026-03-09T10:00:00.000Z'

interface Sent {
  readonly connectionId: string
  readonly body: string
  readonly key: string | undefined
}

/** A store in memory; `outcomes` are what the platform does with each attempt. */
function open(outcomes: readonly (Error | null)[], signal = new AbortController().signal) {
  const drafts = new Map<string, StoredDraft>()
  const outgoing = new Map<string, OutgoingMessage>()
  const attempts: Sent[] = []
  let sealings = 0
  let asked = 0
  const store: MessageStore = {
    readDraft: async (id) => drafts.get(id) ?? null,
    writeDraft: async (draft) => void drafts.set(draft.connectionId, draft),
    deleteDraft: async (id) => void drafts.delete(id),
    listOutgoing: async () => [...outgoing.values()],
    writeOutgoing: async (message) => void outgoing.set(message.key, message),
    deleteOutgoing: async (key) => void outgoing.delete(key),
  }
  const messages = {
    async seal(_connection: string, text: string) {
      sealings += 1
      return { body: `theirs ${sealings} ${text}`, sender_body: `own ${sealings} ${text}` }
    },
    async sendSealed(connectionId: string, { body }: { readonly body: string }, options?: { idempotencyKey?: string }) {
      const outcome = outcomes[attempts.length] ?? null
      attempts.push({ connectionId, body, key: options?.idempotencyKey })
      if (outcome !== null) throw outcome
      return { message_id: 'm', id: 'm', created_at: AT }
    },
  }
  const own = { seal: async (text: string) => `sealed ${text}`, open: async (text: string) => text.slice(7) }
  const outbox = openOutbox({
    client: { messages },
    own,
    store,
    changed: () => {},
    again: () => {
      asked += 1
    },
    signal,
  })
  return { outbox, store, drafts, outgoing, attempts, asked: () => asked }
}

const draft = (key: string, text: string, connectionId = 'c') => ({ key, connectionId, own: `sealed ${text}` })
const offline = () => new NetworkError('no answer', 'r', null)
const refused = (key: string, status: number) =>
  new SealpostError('no', { key, status, details: {}, requestId: 'r', retryAfterSeconds: undefined })

test('a message whose answer was lost is sent again with the same key and the same bytes', async () => {
  const { outbox, outgoing, attempts, asked } = open([offline(), null])
  await outbox.add(draft('k1', 'hello'), AT)
  await outbox.flush()
  expect([outgoing.size, asked()]).toEqual([1, 1])
  await outbox.flush()
  expect(outgoing.size).toBe(0)
  expect(attempts).toEqual([
    { connectionId: 'c', body: 'theirs 1 hello', key: 'k1' },
    { connectionId: 'c', body: 'theirs 1 hello', key: 'k1' },
  ])
})

test('a draft that is sent twice is one message', async () => {
  const { outbox, attempts, drafts } = open([])
  drafts.set('c', draft('k1', 'hello'))
  await Promise.all([outbox.add(draft('k1', 'hello'), AT), outbox.add(draft('k1', 'hello'), AT)])
  await Promise.all([outbox.flush(), outbox.flush()])
  expect(attempts).toHaveLength(1)
  expect(drafts.size).toBe(0)
})

test('what waits keeps its order, and a refused message stays with its reason', async () => {
  const { outbox, outgoing, attempts } = open([
    refused('messages.not_connected', 403),
    refused('platform.busy', 503),
    null,
    null,
  ])
  for (const [key, text] of [
    ['k1', 'one'],
    ['k2', 'two'],
    ['k3', 'three'],
  ] as const)
    await outbox.add(draft(key, text), AT)
  await outbox.flush()
  expect(attempts.map(({ key }) => key)).toEqual(['k1', 'k2'])
  await outbox.flush()
  expect(attempts.map(({ key }) => key)).toEqual(['k1', 'k2', 'k2', 'k3'])
  expect([...outgoing.values()]).toMatchObject([{ key: 'k1', refusal: { key: 'messages.not_connected' } }])
})

test('a message that arrived before its draft was removed is not offered again', async () => {
  const { outbox, drafts } = open([])
  await outbox.add(draft('k1', 'hello'), AT)
  drafts.set('c', draft('k1', 'hello'))
  await outbox.flush()
  expect(drafts.size).toBe(0)
})

test('a message stands among those on their way until the thread has it, however late the thread is read', async () => {
  const { outbox } = open([null])
  await outbox.add(draft('k1', 'hello'), AT)
  expect(await outbox.list()).toMatchObject([{ key: 'k1' }])
  await outbox.flush()
  expect([await outbox.list(), outbox.isSending('k1')]).toMatchObject([[{ key: 'k1' }], true])
  outbox.found(['k1'])
  expect([await outbox.list(), [...outbox.arrived]]).toEqual([[], ['k1']])
})

test('nothing is sent after the account was locked', async () => {
  const ending = new AbortController()
  const { outbox, attempts } = open([], ending.signal)
  await outbox.add(draft('k1', 'hello'), AT)
  ending.abort()
  await outbox.flush()
  expect(attempts).toEqual([])
})
