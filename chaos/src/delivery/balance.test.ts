import { expect, test } from 'vitest'
import { addUp, type Arrival, balance, type ChannelRecord, type PublishedEvent } from './balance.ts'

const GOOD = { unexpected: 0, outOfOrder: 0, repeated: 0, duplicatedByKills: 0, unexplainedDuplicates: 0, lost: 0 }
const kill = { fromMs: 50_000, toMs: 50_100 }

function entry(id: string, key: string | null = null): PublishedEvent {
  return { id, kind: 'flow_completed', key }
}

function arrived(...ids: readonly string[]): readonly Arrival[] {
  return ids.map((id, index) => ({ id, atMs: 10 * index, outcome: 'taken' as const }))
}

function channel(parts: Partial<ChannelRecord>): ChannelRecord {
  return { name: 'a webhook', entries: [entry('a'), entry('b'), entry('c')], arrivals: [], queued: new Set(), ...parts }
}

test('events that arrived once and in order, and events that wait, balance', () => {
  const totals = balance(channel({ arrivals: arrived('a', 'b'), queued: new Set(['c']) }), [])
  expect(totals).toEqual({ ...GOOD, published: 3, delivered: 2, queued: 1, collapsed: 0 })
})

test('an entry that neither arrived nor waits is lost', () => {
  expect(balance(channel({ arrivals: arrived('a', 'c') }), [])).toMatchObject({ delivered: 2, lost: 1, collapsed: 0 })
})

test('an entry that was only refused is lost when it does not wait', () => {
  const arrivals = [{ id: 'a', atMs: 0, outcome: 'refused' } as const, ...arrived('b', 'c')]
  expect(balance(channel({ arrivals }), [])).toMatchObject({ delivered: 2, lost: 1 })
})

test('an entry counts as collapsed only with a later entry of its key in the same channel', () => {
  const entries = [entry('a', 'k'), entry('b', 'k'), entry('c', 'other')]
  expect(balance(channel({ entries, arrivals: arrived('b') }), [])).toMatchObject({
    delivered: 1,
    collapsed: 1,
    lost: 1,
  })
  expect(balance(channel({ entries, arrivals: arrived('a', 'c') }), [])).toMatchObject({
    delivered: 2,
    collapsed: 0,
    lost: 1,
  })
})

test('an event that arrived and still waits counts once, as queued', () => {
  const totals = balance(channel({ arrivals: arrived('a', 'b', 'c'), queued: new Set(['c']) }), [])
  expect(totals).toMatchObject({ delivered: 2, queued: 1, lost: 0 })
})

test('an event that was not published to the channel is unexpected, whether it arrived or waits', () => {
  const totals = balance(channel({ arrivals: arrived('a', 'x', 'b', 'c'), queued: new Set(['y']) }), [])
  expect(totals).toMatchObject({ unexpected: 2, delivered: 3 })
})

test('an earlier event after a later one is out of order, also when it had arrived before', () => {
  expect(balance(channel({ arrivals: arrived('b', 'a', 'c') }), [])).toMatchObject({ outOfOrder: 1 })
  const late = [{ id: 'a', atMs: 0, outcome: 'refused' } as const, ...arrived('b', 'a', 'c')]
  expect(balance(channel({ arrivals: late }), [])).toMatchObject({ outOfOrder: 1, repeated: 1 })
})

test('an event that was refused, or whose 200 was lost, may arrive again', () => {
  const arrivals: readonly Arrival[] = [
    { id: 'a', atMs: 0, outcome: 'refused' },
    { id: 'a', atMs: 1, outcome: 'unsure' },
    { id: 'a', atMs: 2, outcome: 'taken' },
    ...arrived('b', 'c'),
  ]
  expect(balance(channel({ arrivals }), [])).toMatchObject({ ...GOOD, repeated: 2, delivered: 3 })
})

test('a taken event may arrive again once for each kill in between, and for no other reason', () => {
  const twice: readonly Arrival[] = [
    { id: 'a', atMs: 49_000, outcome: 'taken' },
    { id: 'a', atMs: 90_000, outcome: 'taken' },
  ]
  expect(balance(channel({ arrivals: twice }), [kill])).toMatchObject({
    duplicatedByKills: 1,
    unexplainedDuplicates: 0,
  })
  expect(balance(channel({ arrivals: twice }), [])).toMatchObject({ duplicatedByKills: 0, unexplainedDuplicates: 1 })
  const before = { fromMs: 46_000, toMs: 46_100 }
  expect(balance(channel({ arrivals: twice }), [before])).toMatchObject({ unexplainedDuplicates: 1 })
  const again: readonly Arrival[] = [
    ...twice,
    { id: 'b', atMs: 49_500, outcome: 'taken' },
    { id: 'b', atMs: 95_000, outcome: 'taken' },
  ]
  expect(balance(channel({ arrivals: again }), [kill])).toMatchObject({
    duplicatedByKills: 1,
    unexplainedDuplicates: 1,
  })
})

test('a kill just before a busy reader recorded the event counts', () => {
  const late: readonly Arrival[] = [
    { id: 'a', atMs: 50_400, outcome: 'taken' },
    { id: 'a', atMs: 90_000, outcome: 'taken' },
  ]
  expect(balance(channel({ arrivals: late }), [kill])).toMatchObject({ duplicatedByKills: 1, unexplainedDuplicates: 0 })
})

test('a page that arrives again after a kill is one repetition for any number of events', () => {
  const page = (no: number, atMs: number): readonly Arrival[] =>
    ['a', 'b'].map((id) => ({ id, atMs, outcome: 'taken' as const, page: no }))
  const arrivals = [...page(1, 49_000), ...page(2, 90_000)]
  expect(balance(channel({ arrivals }), [kill])).toMatchObject({ duplicatedByKills: 2, unexplainedDuplicates: 0 })
  expect(balance(channel({ arrivals: [...arrivals, ...page(3, 120_000)] }), [kill])).toMatchObject({
    unexplainedDuplicates: 2,
  })
})

test('in a page that arrives again after later ones only events new to the reader are out of order', () => {
  const arrivals: readonly Arrival[] = [
    { id: 'b', atMs: 49_000, outcome: 'taken', page: 1 },
    { id: 'c', atMs: 70_000, outcome: 'taken', page: 2 },
    { id: 'b', atMs: 90_000, outcome: 'taken', page: 3 },
  ]
  expect(balance(channel({ arrivals }), [kill])).toMatchObject({ outOfOrder: 0, duplicatedByKills: 1 })
  const late: readonly Arrival[] = [...arrivals, { id: 'a', atMs: 95_000, outcome: 'taken', page: 4 }]
  expect(balance(channel({ arrivals: late }), [kill])).toMatchObject({ outOfOrder: 1 })
})

test('the sum adds up the counts of all channels', () => {
  const one = balance(channel({ arrivals: arrived('a', 'b', 'c') }), [])
  const other = balance(channel({ arrivals: arrived('a'), queued: new Set(['b']) }), [])
  expect(addUp([one, other])).toMatchObject({ published: 6, delivered: 4, queued: 1, lost: 1 })
})
