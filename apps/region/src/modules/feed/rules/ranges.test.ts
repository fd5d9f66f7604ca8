import { propertyRuns } from '@sealpost/testkit/property-runs'
import { expect, test } from 'vitest'
import { drawsOf } from '../testing/draws.ts'
import { advance, formatRanges, includes, parseRanges, rangesOf, span, subtract, union } from './ranges.ts'

const LAST = 40

function drawNumbers(seed: number): readonly number[] {
  const draws = drawsOf(seed)
  const oneIn = 1 + draws.below(8)
  return upTo(LAST).filter((no) => no > 0 && draws.once(oneIn))
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last + 1 }, (_, no) => no)
}

function listed(ranges: ReturnType<typeof rangesOf>): readonly number[] {
  return upTo(LAST).filter((no) => includes(ranges, no))
}

test('a set of numbers is formatted and parsed like a PostgreSQL multirange', () => {
  expect(formatRanges(rangesOf([4, 1, 2, 9]))).toBe('{[1,3),[4,5),[9,10)}')
  expect(parseRanges('{[1,3),[4,5),[9,10)}')).toEqual(rangesOf([9, 4, 2, 1]))
  expect([parseRanges('{}'), formatRanges([])]).toEqual([[], '{}'])
})

test('union and subtract match the operations on sets', () => {
  for (let seed = 0; seed < propertyRuns(); seed += 1) {
    const [some, others] = [drawNumbers(2 * seed), drawNumbers(2 * seed + 1)]
    const [a, b] = [rangesOf(some), rangesOf(others)]
    expect(listed(union(a, b))).toEqual(upTo(LAST).filter((no) => some.includes(no) || others.includes(no)))
    expect(listed(subtract(a, b))).toEqual(some.filter((no) => !others.includes(no)))
    expect(parseRanges(formatRanges(a))).toEqual(a)
  }
})

test('the cursor moves over all runs that touch it, and no gone number is lost', () => {
  for (let seed = 0; seed < propertyRuns(); seed += 1) {
    const cursor = drawsOf(seed).below(LAST)
    const [gone, more] = [drawNumbers(2 * seed), drawNumbers(2 * seed + 1)]
    const after = advance({ cursor, gone: subtract(rangesOf(gone), span(0, cursor)) }, rangesOf(more))
    const all = upTo(LAST).filter((no) => no <= cursor || gone.includes(no) || more.includes(no))
    expect(listed(union([[0, after.cursor]], after.gone))).toEqual(all)
    expect(includes(after.gone, after.cursor + 1)).toBe(false)
  }
})
