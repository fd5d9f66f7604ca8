import type { Claim, IdempotencyStore, Lease, StoredAnswer } from '@sealpost/http'
import type { Tx } from '@sealpost/postgres'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FixedClock, fixedClock } from '../../fixed.ts'

export interface IdempotencySite {
  readonly store: IdempotencyStore
  /** Null for a store that keeps nothing in a database. */
  readonly transaction: (<T>(work: (tx: Tx) => Promise<T>) => Promise<T>) | null
}

const SECOND = 1000
const HOUR = 3600 * SECOND
const answer: StoredAnswer = { status: 201, headers: { etag: '"1"' }, body: '{"id":"1","text":"\\u0000é"}' }

/** What every place for idempotency keys promises. Opened once; each test uses keys of its own. */
export function describeIdempotency(
  keeps: 'durably' | 'in memory',
  open: (clock: FixedClock) => Promise<IdempotencySite>,
): void {
  const clock = fixedClock()
  let site: IdempotencySite
  let claim: Claim
  let made = 0
  beforeAll(async () => {
    site = await open(clock)
  })
  beforeEach(() => {
    made += 1
    claim = { caller: 'svc_a', method: 'POST', path: '/api/things', key: `key-${made}`, bodyHash: 'aa'.repeat(32) }
  })
  const otherBody = (): Claim => ({ ...claim, bodyHash: 'bb'.repeat(32) })
  const start = async (wanted: Claim): Promise<Lease> => {
    const begun = await site.store.begin(wanted)
    expect(begun).toMatchObject({ kind: 'started' })
    return 'lease' in begun ? begun.lease : expect.unreachable()
  }

  describe('a key', () => {
    test('is started once, runs, and answers ever after', async () => {
      const lease = await start(claim)
      expect(await site.store.begin(claim)).toEqual({ kind: 'running' })
      await site.store.complete(lease, answer)
      expect(await site.store.begin(claim)).toEqual({ kind: 'answered', answer })
      clock.advance(23 * HOUR)
      expect(await site.store.begin(claim)).toEqual({ kind: 'answered', answer })
    })

    test('with another body is a conflict, running or answered', async () => {
      const lease = await start(claim)
      expect(await site.store.begin(otherBody())).toEqual({ kind: 'conflict' })
      await site.store.complete(lease, { status: 204, headers: {}, body: null })
      expect(await site.store.begin(otherBody())).toEqual({ kind: 'conflict' })
    })

    test('counts within caller, method and path', async () => {
      await start(claim)
      await start({ ...claim, caller: 'svc_b' })
      await start({ ...claim, method: 'PUT' })
      await start({ ...claim, path: `/api/${'x'.repeat(2000)}` })
      await start({ ...claim, key: 'k'.repeat(255) + made })
    })

    test('that was given back starts anew, with any body', async () => {
      await site.store.release(await start(claim))
      await start(otherBody())
    })

    test('is free again after a day', async () => {
      await site.store.complete(await start(claim), answer)
      clock.advance(24 * HOUR)
      await start(otherBody())
    })

    test('asked for by many at once is started by one', async () => {
      const begun = await Promise.all(Array.from({ length: 20 }, () => site.store.begin(claim)))
      expect(begun.map(({ kind }) => kind).toSorted()).toEqual([...Array<string>(19).fill('running'), 'started'])
    })
  })

  describe('a first try that never ended', () => {
    test('is taken over after its 60 seconds, by the same body only', async () => {
      await start(claim)
      clock.advance(59 * SECOND)
      expect(await site.store.begin(claim)).toEqual({ kind: 'running' })
      clock.advance(SECOND)
      expect(await site.store.begin(otherBody())).toEqual({ kind: 'conflict' })
      await start(claim)
      expect(await site.store.begin(claim)).toEqual({ kind: 'running' })
    })

    test('can neither complete nor release a key whose lease another call has taken', async () => {
      const lost = await start(claim)
      clock.advance(60 * SECOND)
      const held = await start(claim)
      await site.store.complete(lost, { ...answer, status: 200 })
      await site.store.release(lost)
      expect(await site.store.begin(claim)).toEqual({ kind: 'running' })
      await site.store.complete(held, answer)
      await site.store.release(held)
      expect(await site.store.begin(claim)).toEqual({ kind: 'answered', answer })
    })
  })

  if (keeps === 'in memory') return
  describe('an answer stored with the work', () => {
    test('is there exactly if the work is', async () => {
      const { store } = site
      const transaction = transactionsOf(site)
      const lease = await start(claim)
      const undone = transaction(async (tx) => {
        await store.completeIn(tx, lease, answer)
        throw new Error('the work fails')
      })
      await expect(undone).rejects.toThrow('the work fails')
      expect(await store.begin(claim)).toEqual({ kind: 'running' })
      await transaction((tx) => store.completeIn(tx, lease, answer))
      expect(await store.begin(claim)).toEqual({ kind: 'answered', answer })
    })

    test('undoes the work when another call has taken the lease', async () => {
      const { store } = site
      const transaction = transactionsOf(site)
      const lost = await start(claim)
      clock.advance(60 * SECOND)
      await start(claim)
      const late = transaction((tx) => store.completeIn(tx, lost, answer))
      await expect(late).rejects.toMatchObject({ key: 'idempotency.in_progress' })
    })
  })
}

function transactionsOf({ transaction }: IdempotencySite): NonNullable<IdempotencySite['transaction']> {
  if (transaction === null) throw new Error('a store that keeps its answers durably has transactions')
  return transaction
}
