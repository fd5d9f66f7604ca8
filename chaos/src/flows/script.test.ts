import { expect, test } from 'vitest'
import { type Act, expectedAfter, isDecided, refusalInRace, SCRIPTS } from './script.ts'

test('a script without refusals ends as its name says', () => {
  const ends = Object.entries(SCRIPTS).map(([name, steps]) => [name, expectedAfter(steps.flat()).status])
  expect(Object.fromEntries(ends)).toEqual({
    completed: 'completed',
    proven: 'completed',
    withdrawn: 'cancelled',
    declined: 'cancelled',
    cancelled: 'cancelled',
    raced: 'cancelled',
    cancelledTwice: 'cancelled',
    open: 'awaiting_partner',
  })
})

test('events follow the changes of the awaited party, answers the turns', () => {
  expect(expectedAfter(SCRIPTS.proven.flat())).toEqual({
    status: 'completed',
    node: 'confirm',
    cancelledBy: null,
    answered: ['amount', 'nick', 'proof', 'reference'],
    events: ['flow_run_turn', 'flow_run_turn', 'flow_run_turn', 'flow_completed'],
  })
})

test('a cancel leaves the step where it was', () => {
  const acts: readonly Act[] = ['start', 'ask', 'cancelByOwner']
  expect(expectedAfter(acts)).toMatchObject({ status: 'cancelled', node: 'tell', cancelledBy: 'us' })
})

test('an act may be refused only because of a cancel at the same moment, and one cancel wins', () => {
  expect(refusalInRace('tell', ['tell'])).toBeNull()
  expect(refusalInRace('tell', ['tell', 'cancelByOwner'])).toBe('flows.run_not_awaiting')
  expect(refusalInRace('cancelByOwner', ['tell', 'cancelByOwner'])).toBeNull()
  expect(refusalInRace('cancelByOwner', ['cancelByOwner', 'cancelByPartner'])).toBe('flows.run_closed')
  const both = ['cancelByOwner', 'cancelByPartner'] as const
  expect([isDecided(both, ['cancelByPartner']), isDecided(both, []), isDecided(['tell', 'cancelByOwner'], [])]).toEqual(
    [true, false, false],
  )
})
