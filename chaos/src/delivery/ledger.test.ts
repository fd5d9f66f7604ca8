import { expect, test } from 'vitest'
import { addUp, type Arrival, balance, type ChannelBook, type PublishedEvent } from './ledger.ts'

const GOOD = { invented: 0, disordered: 0, repeated: 0, doubledByKills: 0, doubledForNoReason: 0, lost: 0 }
const kill = { fromMs: 50_000, toMs: 50_100 }

function entry(id: string, key: string | null = null): PublishedEvent {
  return { id, kind: 'flow_completed', key }
}

function seen(...ids: readonly string[]): readonly Arrival[] {
  return ids.map((id, place) => ({ id, atMs: 10 * place, outcome: 'taken' as const }))
}

function book(parts: Partial<ChannelBook>): ChannelBook {
  return { name: 'a webhook', entries: [entry('a'), entry('b'), entry('c')], arrivals: [], queued: new Set(), ...parts }
}

test('what came once and in order, and what still waits, balances', () => {
  const verdict = balance(book({ arrivals: seen('a', 'b'), queued: new Set(['c']) }), [])
  expect(verdict).toEqual({ ...GOOD, published: 3, delivered: 2, queued: 1, collapsed: 0 })
})

test('an entry that nobody saw and nothing holds is lost', () => {
  expect(balance(book({ arrivals: seen('a', 'c') }), [])).toMatchObject({ delivered: 2, lost: 1, collapsed: 0 })
})

test('an entry that was only refused is lost when nothing holds it any more', () => {
  const arrivals = [{ id: 'a', atMs: 0, outcome: 'refused' } as const, ...seen('b', 'c')]
  expect(balance(book({ arrivals }), [])).toMatchObject({ delivered: 2, lost: 1 })
})

test('an entry counts as collapsed only with a later one of its key in the same channel', () => {
  const entries = [entry('a', 'k'), entry('b', 'k'), entry('c', 'other')]
  expect(balance(book({ entries, arrivals: seen('b') }), [])).toMatchObject({ delivered: 1, collapsed: 1, lost: 1 })
  expect(balance(book({ entries, arrivals: seen('a', 'c') }), [])).toMatchObject({
    delivered: 2,
    collapsed: 0,
    lost: 1,
  })
})

test('what its reader has and the database still holds counts once, as queued', () => {
  const verdict = balance(book({ arrivals: seen('a', 'b', 'c'), queued: new Set(['c']) }), [])
  expect(verdict).toMatchObject({ delivered: 2, queued: 1, lost: 0 })
})

test('an event that was never published here is found, whether it was seen or waits', () => {
  const verdict = balance(book({ arrivals: seen('a', 'x', 'b', 'c'), queued: new Set(['y']) }), [])
  expect(verdict).toMatchObject({ invented: 2, delivered: 3 })
})

test('an earlier event after a later one is out of order, also when it had come before', () => {
  expect(balance(book({ arrivals: seen('b', 'a', 'c') }), [])).toMatchObject({ disordered: 1 })
  const late = [{ id: 'a', atMs: 0, outcome: 'refused' } as const, ...seen('b', 'a', 'c')]
  expect(balance(book({ arrivals: late }), [])).toMatchObject({ disordered: 1, repeated: 1 })
})

test('what was refused, or whose 200 was lost, may come again at once', () => {
  const arrivals: readonly Arrival[] = [
    { id: 'a', atMs: 0, outcome: 'refused' },
    { id: 'a', atMs: 1, outcome: 'unsure' },
    { id: 'a', atMs: 2, outcome: 'taken' },
    ...seen('b', 'c'),
  ]
  expect(balance(book({ arrivals }), [])).toMatchObject({ ...GOOD, repeated: 2, delivered: 3 })
})

test('what was taken may come again once for each kill in between, and for no other reason', () => {
  const twice: readonly Arrival[] = [
    { id: 'a', atMs: 49_000, outcome: 'taken' },
    { id: 'a', atMs: 90_000, outcome: 'taken' },
  ]
  expect(balance(book({ arrivals: twice }), [kill])).toMatchObject({ doubledByKills: 1, doubledForNoReason: 0 })
  expect(balance(book({ arrivals: twice }), [])).toMatchObject({ doubledByKills: 0, doubledForNoReason: 1 })
  const before = { fromMs: 46_000, toMs: 46_100 }
  expect(balance(book({ arrivals: twice }), [before])).toMatchObject({ doubledForNoReason: 1 })
  const again: readonly Arrival[] = [
    ...twice,
    { id: 'b', atMs: 49_500, outcome: 'taken' },
    { id: 'b', atMs: 95_000, outcome: 'taken' },
  ]
  expect(balance(book({ arrivals: again }), [kill])).toMatchObject({ doubledByKills: 1, doubledForNoReason: 1 })
})

test('a kill just before a busy reader noticed the event counts', () => {
  const late: readonly Arrival[] = [
    { id: 'a', atMs: 50_400, outcome: 'taken' },
    { id: 'a', atMs: 90_000, outcome: 'taken' },
  ]
  expect(balance(book({ arrivals: late }), [kill])).toMatchObject({ doubledByKills: 1, doubledForNoReason: 0 })
})

test('a page that comes again after a kill is one repetition, however many events it has', () => {
  const page = (no: number, atMs: number): readonly Arrival[] =>
    ['a', 'b'].map((id) => ({ id, atMs, outcome: 'taken' as const, page: no }))
  const arrivals = [...page(1, 49_000), ...page(2, 90_000)]
  expect(balance(book({ arrivals }), [kill])).toMatchObject({ doubledByKills: 2, doubledForNoReason: 0 })
  expect(balance(book({ arrivals: [...arrivals, ...page(3, 120_000)] }), [kill])).toMatchObject({
    doubledForNoReason: 2,
  })
})

test('of a page that comes again after later ones only what is new to the reader is out of order', () => {
  const arrivals: readonly Arrival[] = [
    { id: 'b', atMs: 49_000, outcome: 'taken', page: 1 },
    { id: 'c', atMs: 70_000, outcome: 'taken', page: 2 },
    { id: 'b', atMs: 90_000, outcome: 'taken', page: 3 },
  ]
  expect(balance(book({ arrivals }), [kill])).toMatchObject({ disordered: 0, doubledByKills: 1 })
  const late: readonly Arrival[] = [...arrivals, { id: 'a', atMs: 95_000, outcome: 'taken', page: 4 }]
  expect(balance(book({ arrivals: late }), [kill])).toMatchObject({ disordered: 1 })
})

test('the sum over channels has what each of them has', () => {
  const one = balance(book({ arrivals: seen('a', 'b', 'c') }), [])
  const other = balance(book({ arrivals: seen('a'), queued: new Set(['b']) }), [])
  expect(addUp([one, other])).toMatchObject({ published: 6, delivered: 4, queued: 1, lost: 1 })
})
