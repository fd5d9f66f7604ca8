import { bodyOf, median, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { enroll, raise, RAISE, wish } from './testing/approvals.ts'

const ROUNDS = 150
/** One more statement in a call of two makes it a third longer. */
const MOST = 1.25

const world = await openWorld()
const service = await world.service([])
const { person: muting } = await world.customer(service, [])
const { person: connected } = await world.customer(service, [])
await enroll(world, service, muting)

async function timeOf(shareCode: string): Promise<{ readonly ms: number; readonly answer: string }> {
  const body = wish(muting, { share_code: shareCode })
  const startedAt = performance.now()
  const { status, text } = await service.data('POST', RAISE, { body })
  return { ms: performance.now() - startedAt, answer: `${status} ${text}` }
}

test('an unknown code, a person who is not enrolled and one who muted the service take the same time', async () => {
  const { card } = await raise(service, muting)
  await bodyOf(muting.calls('POST', `${card}/report`))
  const codes = ['ZZZZZZ', connected.shareCode, muting.shareCode]
  const times = codes.map((): number[] => [])
  const answers = new Set<string>()
  // In turn, and the first of a round changes: other load on the machine affects all of them alike.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let step = 0; step < codes.length; step += 1) {
      const place = (round + step) % codes.length
      const { ms, answer } = await timeOf(codes[place] ?? '')
      times[place]?.push(ms)
      answers.add(answer)
    }
  }
  expect(answers.size).toBe(1)
  const medians = times.map((each) => median(each))
  expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(MOST)
})
