import { expect, test } from 'vitest'
import { openPlaces } from './places.ts'

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
