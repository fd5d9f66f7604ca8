import { expect, test } from 'vitest'
import { openPlaces, openSharedPlaces, type Turn } from './places.ts'

test('places are granted in the order of the line, also when a caller gives up', async () => {
  const places = openPlaces(1)
  await places.take().granted
  const got: string[] = []
  const [first, second, third] = [places.take(), places.take(), places.take()]
  for (const [name, turn] of Object.entries({ first, second, third })) void turn.granted.then(() => got.push(name))

  expect(second.giveUp()).toBe(true)
  expect(places.waiting).toBe(2)
  places.put()
  await first.granted
  expect(first.giveUp()).toBe(false)
  places.put()
  await third.granted
  expect(got).toEqual(['first', 'third'])
  places.put()
  await places.take().granted
  expect(places.waiting).toBe(0)
})

/** How many of these have a place: one that still waits can give up. */
function granted(turns: readonly Turn[]): number {
  return turns.filter((turn) => !turn.giveUp()).length
}

test('one busy owner gets half of the places, two a third each, and an owner without a place always gets one', () => {
  const alone = openSharedPlaces(8)
  expect(granted(Array.from({ length: 20 }, () => alone.of('a').take()))).toBe(4)
  expect(alone.waiting).toBe(0)

  const shared = openSharedPlaces(9)
  const turns = Array.from({ length: 20 }, () => [shared.of('a').take(), shared.of('b').take()] as const)
  expect(granted(turns.map(([a]) => a))).toBe(3)
  expect(granted(turns.map(([, b]) => b))).toBe(3)
  expect(granted([shared.of('c').take()])).toBe(1)
})

test('work of no owner uses every place', () => {
  const places = openSharedPlaces(4)
  const turns = Array.from({ length: 6 }, () => places.of(null).take())
  expect(places.waiting).toBe(2)
  expect(granted(turns)).toBe(4)
})

test('a place that becomes free goes to the first in line that may have it, and passes by an owner at its share', async () => {
  const places = openSharedPlaces(2)
  const [a, b] = [places.of('a'), places.of('b')]
  await a.take().granted
  const second = a.take()
  await b.take().granted
  const third = b.take()
  expect(a.waiting).toBe(1)

  b.put()
  // Owner a holds one of two places, so that its second call waits on; owner b has none.
  await third.granted
  expect(a.waiting).toBe(1)
  a.put()
  await second.granted
  expect(places.waiting).toBe(0)
})

test('a caller that gives up leaves the line', async () => {
  const places = openSharedPlaces(1)
  await places.of('a').take().granted
  const second = places.of('a').take()
  expect(second.giveUp()).toBe(true)
  places.of('a').put()
  await places.of('b').take().granted
  expect(places.waiting).toBe(0)
})

test('places are crowded when no owner could get one: one owner that waits for its own places does not make it true', () => {
  const places = openSharedPlaces(2)
  for (let call = 0; call < 5; call += 1) places.of('a').take()
  expect([places.waiting > 0, places.isCrowded]).toEqual([true, false])
  places.of('b').take()
  expect(places.isCrowded).toBe(true)
  places.of('b').put()
  expect(places.isCrowded).toBe(false)
})
