import { expect, test } from 'vitest'
import { stubFeed } from '../../test/stub-feed.ts'
import { refusal } from '../../test/stub-platform.ts'
import { startStubService } from '../../test/stub-service.ts'
import { NetworkError } from '../errors.ts'
import { memoryStore } from './line-store.ts'
import { ChangePump } from './pump.ts'

/** A run whose answer was lost, and another one after the clock was moved by this much. */
async function lossesAfter(passedMs: number): Promise<readonly unknown[]> {
  const store = memoryStore()
  let isDown = true
  const feed = stubFeed(['a'], () => {
    if (isDown) throw new NetworkError('no answer', 'r', null)
  })
  const handle = (): void => {}
  await expect(new ChangePump(feed, { store, handle }).run()).rejects.toThrow(NetworkError)
  isDown = false
  const losses: unknown[] = []
  feed.pass(passedMs)
  await new ChangePump(feed, { store, handle, onPossibleLoss: (loss) => void losses.push(loss) }).run()
  return losses
}

test('after a clock that went back, a repeated attempt is reported as a possible loss', async () => {
  expect(await lossesAfter(300_000)).toEqual([])
  expect(await lossesAfter(300_001)).toHaveLength(1)
  expect(await lossesAfter(-1)).toHaveLength(1)
})

test('a page that the client repeated too late is reported as a possible loss', async () => {
  let nowMs = Date.UTC(2026, 4, 1)
  const replies = [
    { status: 502, text: 'the answer was lost behind this' },
    refusal(503, 'platform.out_of_order', {}, { 'retry-after': '300' }),
    { status: 200, json: { changes: [], has_more: false } },
  ]
  await using service = await startStubService(
    ({ path }) => {
      if (path.includes('whoami')) return { status: 200, json: { company_user_id: 'c', service_id: 's' } }
      return replies.shift() ?? { status: 500 }
    },
    {
      clock: { now: () => nowMs },
      wait: (ms) => {
        nowMs += ms
        return Promise.resolve()
      },
    },
  )
  const losses: unknown[] = []
  const onPossibleLoss = (loss: unknown): void => void losses.push(loss)
  await service.client.changes.pump({ store: memoryStore(), handle: () => {}, onPossibleLoss }).run()
  expect(replies).toEqual([])
  expect(losses).toEqual([{ askedAtMs: Date.UTC(2026, 4, 1) }])
})
