import { expect, test } from 'vitest'
import { eventId, parseEventId } from './frames.ts'
import { startOf } from './resume.ts'

const line = { life: 2, lastSeq: 10, isKept: true }

test.each([
  ['without a position', null, false, line, { seq: 10, isMissingHints: false }],
  ['after a hint that is followed by kept ones', { life: 2, seq: 4 }, true, line, { seq: 4, isMissingHints: false }],
  ['after the newest', { life: 2, seq: 10 }, true, { ...line, isKept: false }, { seq: 10, isMissingHints: false }],
  [
    'after one whose next has expired',
    { life: 2, seq: 4 },
    true,
    { ...line, isKept: false },
    { seq: 10, isMissingHints: true },
  ],
  ['from before a restore', { life: 1, seq: 4 }, true, line, { seq: 10, isMissingHints: true }],
  ['of numbers that were lost', { life: 2, seq: 11 }, true, line, { seq: 10, isMissingHints: true }],
  ['that is no position', null, true, line, { seq: 10, isMissingHints: true }],
] as const)('a start %s', (_name, given, hasGiven, known, expected) => {
  expect(startOf(given, hasGiven, known)).toEqual(expected)
})

test('event ids are read back, other texts are none', () => {
  expect(parseEventId(eventId({ life: 3, seq: 0 }))).toEqual({ life: 3, seq: 0 })
  for (const text of ['', '1', '1-', '-1', '0-1', '1-01', '1-1 ', '1-1\n', '9999999999-1'])
    expect(parseEventId(text)).toBeNull()
})
