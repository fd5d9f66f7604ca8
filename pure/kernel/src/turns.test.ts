import { expect, test } from 'vitest'
import { openTurns } from './turns.ts'

test('an owner waits in half of the line at most, and another owner still gets a place', async () => {
  const turns = openTurns({ places: 2, mostWaiting: 4 })
  const first = await turns.enter('a')
  const [second, third] = [turns.enter('a'), turns.enter('a')]
  expect(await turns.enter('a')).toBeNull()
  const other = await turns.enter('b')
  expect(other).not.toBeNull()
  first?.()
  const next = await second
  expect(next).not.toBeNull()
  next?.()
  // A second end of the same turn frees no other place.
  next?.()
  expect(await third).not.toBeNull()
})

test('the line of all owners has an end', async () => {
  const turns = openTurns({ places: 1, mostWaiting: 2 })
  const end = await turns.enter('a')
  const waiting = [turns.enter('b'), turns.enter('c')]
  expect(await turns.enter('d')).toBeNull()
  end?.()
  const next = await Promise.race(waiting)
  next?.()
  expect((await Promise.all(waiting)).every((one) => one !== null)).toBe(true)
})
