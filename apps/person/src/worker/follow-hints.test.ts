import { type Hint, SealpostError } from '@sealpost/sdk'
import { expect, test } from 'vitest'
import type { Topic } from './context.ts'
import { followHints } from './follow-hints.ts'

/** Answers the topics that pages were told about. */
async function follow(hints: readonly Hint[], refusal?: Error): Promise<readonly (readonly Topic[])[]> {
  const told: (readonly Topic[])[] = []
  const client = {
    async *hints() {
      yield* hints
      if (refusal !== undefined) throw refusal
    },
  }
  await followHints({ changed: (...topics) => told.push(topics) }, client, new AbortController().signal)
  return told
}

test('a raised or closed challenge has the cards read again', async () => {
  const about = { id: 'a', position: '1' }
  const told = await follow([
    { kind: 'challenge_raised', ...about },
    { kind: 'challenge_closed', ...about },
  ])
  expect(told).toEqual([['approvals'], ['approvals']])
})

test('after lost hints everything is read again, and a kind of a newer platform is ignored', async () => {
  const newer = { kind: 'something_new', id: 'a', position: '1' } as unknown as Hint
  const told = await follow([newer, { kind: 'reread', id: null, position: '2' }])
  expect(told).toHaveLength(1)
  expect(told[0]).toEqual(expect.arrayContaining(['approvals', 'connections', 'messages', 'papers', 'devices', 'data']))
})

test('a refusal ends it quietly: the next page that reads is refused too', async () => {
  expect(await follow([], new Error('refused'))).toEqual([])
})

test('a session that has ended at the platform is reported, another refusal is not', async () => {
  const refusals = ['session.expired', 'platform.busy'].map(
    (key) => new SealpostError(key, { status: 401, requestId: 'r', retryAfterSeconds: undefined, key, details: {} }),
  )
  const ended: boolean[] = []
  for (const refusal of refusals) {
    let hasEnded = false
    const client = {
      // oxlint-disable-next-line require-yield -- it is refused before the first hint
      async *hints(): AsyncGenerator<Hint, void, undefined> {
        throw refusal
      },
    }
    await followHints({ changed: () => {} }, client, new AbortController().signal, () => (hasEnded = true))
    ended.push(hasEnded)
  }
  expect(ended).toEqual([true, false])
})
