import { expect, test } from 'vitest'
import { findKeys } from './find-keys.ts'
import { contractProblems, type ErrorContract } from './problems.ts'

/** Two areas and one operation without contradictions. */
const sound: ErrorContract = {
  mentions: [
    ...findKeys("throw refuse('things.gone')", 'apps/a.ts'),
    ...findKeys("throw refuse('rate.limited')", 'io/b.ts'),
  ],
  catalog: new Map([
    ['rate.limited', 'generic'],
    ['things.gone', 'things'],
    ['things.later', 'things'],
  ]),
  unthrown: new Map([
    ['generic', []],
    ['things', ['things.later']],
  ]),
  aheadOfRoutes: [],
  promised: new Map([['things.read_thing', ['things.gone']]]),
  documented: new Set(['things.gone']),
}

test('a consistent contract has no problems', () => {
  expect(contractProblems(sound)).toEqual([])
})

test('a thrown key that is not in the catalog is a problem', () => {
  expect(contractProblems(withSource("refuse('things.odd')"))).toEqual([
    "apps/new.ts:1 throws 'things.odd', which is not in the catalog: add it to its area",
  ])
})

test('a thrown key that is still listed as unthrown is a problem that names the line to remove', () => {
  const contract = { ...withSource("\nrefuse('things.later')"), documented: new Set(['things.gone', 'things.later']) }
  expect(contractProblems(contract)).toEqual([
    "apps/new.ts:2 throws 'things.later': remove it from 'things' in pure/protocol/src/errors/unthrown.ts",
  ])
})

test('a key that is neither thrown nor listed is a problem that names the list', () => {
  const catalog = new Map([...sound.catalog, ['things.lost', 'things'] as const])
  expect(contractProblems({ ...sound, catalog })).toEqual([
    "nothing throws 'things.lost': throw it, or add it to 'things' in pure/protocol/src/errors/unthrown.ts",
  ])
})

test('a key listed twice, under another area or without an entry in the catalog is a problem', () => {
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['things', ['things.later', 'things.later']],
    ['generic', ['things.later']],
    ['generic', ['things.never']],
  ]
  for (const [area, keys] of lists) {
    const unthrown = new Map([...sound.unthrown, [area, keys] as const])
    expect(contractProblems({ ...sound, unthrown })).toContainEqual(expect.stringContaining(`under '${area}'`))
  }
})

test('a thrown key that no operation documents is a problem, unless any route can answer it', () => {
  expect(contractProblems({ ...sound, documented: new Set() })).toEqual([
    expect.stringContaining("apps/a.ts:1 throws 'things.gone', but no operation lists it"),
  ])
})

test('a key may be thrown before its route exists, but only until an operation documents it', () => {
  const ahead = { ...sound, aheadOfRoutes: ['things.gone'] }
  expect(contractProblems({ ...ahead, documented: new Set() })).toEqual([])
  expect(contractProblems(ahead)).toEqual([expect.stringContaining('remove it from keysAheadOfRoutes')])
})

test('an operation that lists a key that nothing throws is a problem', () => {
  const promised = new Map([['things.read_thing', ['things.gone', 'things.later']]])
  expect(contractProblems({ ...sound, promised })).toEqual([
    expect.stringContaining("things.read_thing lists 'things.later'"),
  ])
})

function withSource(source: string): ErrorContract {
  return { ...sound, mentions: [...sound.mentions, ...findKeys(source, 'apps/new.ts')] }
}
