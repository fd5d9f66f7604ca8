import { describe, expect, test } from 'vitest'
import { END } from '../../rules/ranges.ts'
import { closedAt, kindsAt, withReplay } from './subscription-runs.ts'

const run = (from: number, to: number, kinds: readonly string[] | null = null) => ({ from, to, kinds })

describe('the kinds at a number', () => {
  const runs = [run(2, 5, ['a']), run(4, END, ['b'])]

  test.each([
    [2, null],
    [3, ['a']],
    [4, ['a']],
    [5, ['a', 'b']],
    [6, ['b']],
  ])('%i: %j', (no, kinds) => {
    expect(kindsAt(runs, no)).toEqual(kinds)
  })

  test('are all where one of the runs has all', () => {
    expect(kindsAt([...runs, run(2, 3)], 3)).toBeNull()
    expect(kindsAt([...runs, run(2, 3)], 4)).toEqual(['a'])
  })
})

describe('a replay', () => {
  const pending = { cursor: 3, gone: [[6, 7]] } as unknown as Parameters<typeof withReplay>[1]

  test('stands beside what is pending, and delivered events are not sent again', () => {
    expect(withReplay([run(0, 10, ['a'])], pending, run(1, 3))).toEqual([
      run(3, 5, ['a']),
      run(7, 10, ['a']),
      run(1, 3),
    ])
  })

  test('of nothing adds no run', () => {
    expect(withReplay([run(0, 2)], pending, run(4, 4))).toEqual([])
  })
})

test('closing ends open runs at the last number, and drops those without one', () => {
  expect(closedAt([run(0, 3), run(3, END), run(9, END), run(12, END)], 10)).toEqual([run(0, 3), run(3, 10), run(9, 10)])
  expect(closedAt([run(10, END)], 10)).toEqual([])
})
