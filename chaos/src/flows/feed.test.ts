import { expect, test } from 'vitest'
import { compareEvents } from './feed.ts'

const counts = (expected: readonly string[], seen: readonly string[]) => {
  const { events, missing_events, unexpected_events, misordered_events } = compareEvents(
    new Map([['run', expected]]),
    new Map([['run', seen]]),
  )
  return [events, missing_events, unexpected_events, misordered_events]
}

test('events that come once and in order are counted', () => {
  expect(counts(['turn', 'turn', 'completed'], ['turn', 'turn', 'completed'])).toEqual([3, 0, 0, 0])
})

test('a lost, a repeated and a wrong event are told apart', () => {
  expect(counts(['turn', 'turn', 'completed'], ['turn', 'completed'])).toEqual([2, 1, 0, 0])
  expect(counts(['turn', 'completed'], ['turn', 'turn', 'completed'])).toEqual([3, 0, 1, 0])
  expect(counts(['turn', 'completed'], ['turn', 'cancelled'])).toEqual([2, 1, 1, 0])
})

test('the right events in a wrong order count as misordered', () => {
  expect(counts(['turn', 'completed'], ['completed', 'turn'])).toEqual([2, 0, 0, 1])
})

test('events of an unknown run are unexpected', () => {
  expect(compareEvents(new Map(), new Map([['run', ['turn']]]))).toMatchObject({ unexpected_events: 1 })
})
