import { installSlowGuard } from '@sealpost/kernel'
import type { LimitAnswer, Limiter, TakeRequest } from '@sealpost/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scaled } from '../slowness.ts'

/** Two processes of one installation, as far as the limiter can tell. */
export interface LimitersUnderTest {
  readonly here: Limiter
  readonly there: Limiter
  readonly end: () => Promise<void>
}

/** Slow enough that no token comes back while a test runs. */
const HOUR_SECONDS = 3_600
const COME_BACK_MS = 10_000

/** What every limiter must hold, whatever keeps its buckets. */
export function limiterConformance(name: string, open: () => Promise<LimitersUnderTest>): void {
  describe(`limiter: ${name}`, () => {
    let under: LimitersUnderTest
    beforeAll(async () => {
      under = await open()
    })
    afterAll(() => under.end())
    describeOneBucket(() => under)
    describeSeveralBuckets(() => under)
    describeSharing(() => under)
  })
}

function describeOneBucket(under: () => LimitersUnderTest): void {
  test('a lone caller gets the whole quota at once and is then told when to come back', async () => {
    const bucket = freshBucket({ quota: 6 })
    const answers = await takeOneByOne(under().here, bucket, 7)
    expect(answers.map(outcomeOf)).toEqual([...Array.from({ length: 6 }, () => 'allowed'), 'refused'])
    expect(answers.map((answer) => stateOf(answer).remaining)).toEqual([5, 4, 3, 2, 1, 0, 0])
    const refused = stateOf(answers[6])
    expect(refused).toMatchObject({ policy: 'data', quota: 6, windowSeconds: HOUR_SECONDS, allowed: false })
    expect(refused.retryAfterSeconds).toBeGreaterThan(HOUR_SECONDS / 6 - 60)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(HOUR_SECONDS / 6)
    expect(refused.resetSeconds).toBeGreaterThan(HOUR_SECONDS - 60)
    expect(refused.resetSeconds).toBeLessThanOrEqual(HOUR_SECONDS)
  })

  test('tokens come back by themselves', async () => {
    const bucket = freshBucket({ quota: 5, windowSeconds: 1 })
    await expect.poll(() => take(under().here, bucket), { timeout: scaled(COME_BACK_MS) }).toBe('refused')
    await expect.poll(() => take(under().here, bucket), { timeout: scaled(COME_BACK_MS) }).toBe('allowed')
  })

  test('a token that is given back can be taken again, in any process, and a full bucket gets none', async () => {
    const bucket = freshBucket({ quota: 3 })
    await under().here.giveBack([bucket])
    expect(await takeOneByOne(under().here, bucket, 4).then(outcomes)).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'refused',
    ])
    await under().there.giveBack([bucket])
    expect(await takeOneByOne(under().here, bucket, 2).then(outcomes)).toEqual(['allowed', 'refused'])
    for (let times = 0; times < 5; times += 1) await under().here.giveBack([bucket])
    expect(await takeOneByOne(under().there, bucket, 4).then(outcomes)).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'refused',
    ])
  })

  test('buckets of another key or another policy are untouched', async () => {
    const bucket = freshBucket({ quota: 1 })
    expect(await take(under().here, bucket)).toBe('allowed')
    expect(await take(under().here, bucket)).toBe('refused')
    expect(await take(under().here, { ...bucket, key: `${bucket.key}x` })).toBe('allowed')
    expect(await take(under().here, { ...bucket, policy: 'changes' })).toBe('allowed')
  })

  test('a request without limits is allowed', async () => {
    expect(await under().here.take([])).toEqual({ outcome: 'allowed', states: [] })
  })

  test.each([
    { quota: 0, windowSeconds: 60 },
    { quota: 1.5, windowSeconds: 60 },
    { quota: 7_919, windowSeconds: 60 },
    { quota: 5, windowSeconds: 0 },
  ])('a limit of $quota in $windowSeconds s is a mistake that is told, and breaks nothing', async (size) => {
    await expect(under().here.take([{ ...freshBucket(), ...size }])).rejects.toThrow(/take whole, round numbers/)
    expect(await take(under().here, freshBucket())).toBe('allowed')
  })

  test('a large round quota is kept', async () => {
    const answer = await under().here.take([freshBucket({ quota: 100_000, windowSeconds: 60 })])
    expect(stateOf(answer)).toMatchObject({ allowed: true, remaining: 99_999, resetSeconds: 1 })
  })
}

function describeSeveralBuckets(under: () => LimitersUnderTest): void {
  test('a request takes from all its buckets or from none', async () => {
    const perAddress = freshBucket({ quota: 3 })
    const perAccount = freshBucket({ quota: 1 })
    expect(outcomeOf(await under().here.take([perAddress, perAccount]))).toBe('allowed')
    const refused = await under().here.take([perAddress, perAccount])
    expect(outcomeOf(refused)).toBe('refused')
    expect(statesOf(refused).map((state) => [state.allowed, state.remaining])).toEqual([
      [true, 2],
      [false, 0],
    ])
    expect(await takeOneByOne(under().here, perAddress, 3).then(outcomes)).toEqual(['allowed', 'allowed', 'refused'])
  })
}

function describeSharing(under: () => LimitersUnderTest): void {
  test('racing processes together get the quota, not one more and not one less', async () => {
    const bucket = freshBucket({ quota: 50 })
    const { here, there } = under()
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? here : there).take([bucket])),
    )
    expect(answers.filter((answer) => outcomeOf(answer) === 'allowed')).toHaveLength(50)
  })

  test('requests of many callers and sizes at once are each judged by their own bucket', async () => {
    const buckets = Array.from({ length: 60 }, (_, i) => freshBucket({ quota: 1 + (i % 40) }))
    const answers = await Promise.all(
      buckets.flatMap((bucket) => [under().here.take([bucket]), under().here.take([bucket])]),
    )
    for (const [i, bucket] of buckets.entries()) {
      const own = [answers[2 * i], answers[2 * i + 1]].map((answer) => stateOf(answer))
      expect(own.map((state) => state.quota)).toEqual([bucket.quota, bucket.quota])
      expect(own.map((state) => state.allowed)).toEqual([true, bucket.quota > 1])
    }
  })

  test('taking inside a transaction is a slow act', async () => {
    installSlowGuard((act) => {
      throw new Error(`${act} inside a transaction`)
    })
    try {
      await expect(under().here.take([freshBucket()])).rejects.toThrow('Redis inside a transaction')
    } finally {
      installSlowGuard(null)
    }
  })
}

let buckets = 0

export function freshBucket(size: { quota?: number; windowSeconds?: number } = {}): TakeRequest {
  buckets += 1
  return {
    policy: 'data',
    key: `caller-${buckets}`,
    quota: size.quota ?? 10,
    windowSeconds: size.windowSeconds ?? HOUR_SECONDS,
  }
}

export async function take(limiter: Limiter, request: TakeRequest): Promise<string> {
  return outcomeOf(await limiter.take([request]))
}

async function takeOneByOne(limiter: Limiter, request: TakeRequest, times: number): Promise<LimitAnswer[]> {
  const answers: LimitAnswer[] = []
  for (let i = 0; i < times; i += 1) answers.push(await limiter.take([request]))
  return answers
}

function outcomes(answers: readonly LimitAnswer[]): string[] {
  return answers.map(outcomeOf)
}

function outcomeOf(answer: LimitAnswer): string {
  return answer.outcome
}

function statesOf(answer: LimitAnswer) {
  if (answer.outcome === 'unavailable') throw new Error('the limiter was not available')
  return answer.states
}

function stateOf(answer: LimitAnswer | undefined) {
  const [state] = answer === undefined ? [] : statesOf(answer)
  if (state === undefined) throw new Error('the limiter judged no bucket')
  return state
}
