import { expect, test } from 'vitest'
import { judge } from './judge.ts'

const ACKNOWLEDGED = ['a', 'b', 'c', 'd']
const GOOD = { handled: 4, lost: 0, unexpected: 0, outOfOrder: 0, repeated: 0, unexplained: 0 }

test('changes that were handled once and in order, by one process or several, are good', () => {
  expect(judge(ACKNOWLEDGED, [['a', 'b', 'c', 'd']])).toEqual(GOOD)
  expect(judge(ACKNOWLEDGED, [['a'], [], ['b', 'c', 'd']])).toEqual(GOOD)
})

test('a change that is missing is lost, and one that was not acknowledged is unexpected', () => {
  expect(judge(ACKNOWLEDGED, [['a', 'b', 'd']])).toEqual({ ...GOOD, handled: 3, lost: 1 })
  expect(judge(ACKNOWLEDGED, [['a', 'x', 'b', 'c', 'd']])).toEqual({ ...GOOD, unexpected: 1 })
})

test('the first change after a start may be one that was handled before', () => {
  expect(
    judge(ACKNOWLEDGED, [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ]),
  ).toEqual({ ...GOOD, repeated: 2 })
})

test('any other repetition is unexplained', () => {
  expect(judge(ACKNOWLEDGED, [['a', 'b', 'b', 'c', 'd']])).toEqual({ ...GOOD, repeated: 1, unexplained: 1 })
  expect(
    judge(ACKNOWLEDGED, [
      ['a', 'b'],
      ['a', 'b', 'c', 'd'],
    ]),
  ).toEqual({ ...GOOD, repeated: 2, unexplained: 1 })
})

test('a change that is first handled after a later one is out of order', () => {
  expect(
    judge(ACKNOWLEDGED, [
      ['a', 'c'],
      ['b', 'd'],
    ]),
  ).toEqual({ ...GOOD, outOfOrder: 1 })
})
