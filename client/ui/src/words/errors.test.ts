import { allOperations } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import { errorsInGerman } from './ui/errors-de.ts'
import { errorsInEnglish } from './ui/errors-en.ts'

const ofPersons = allOperations.filter(({ id, callers }) => callers.includes('person') || id.startsWith('session.'))
const answered = [...new Set(ofPersons.flatMap(({ errors }) => errors))]

test('every refusal that a person can get has words, in every language', () => {
  expect(answered.length).toBeGreaterThan(40)
  expect(answered.filter((key) => !(key in errorsInEnglish))).toEqual([])
  expect(Object.keys(errorsInGerman).toSorted()).toEqual(Object.keys(errorsInEnglish).toSorted())
})

test.each(Object.entries({ ...errorsInEnglish }))('%s says what happened and what to do', (key, { what, next }) => {
  for (const text of [what, next, errorsInGerman[key]?.what, errorsInGerman[key]?.next])
    expect(text).toMatch(/^\S.*[.”“]$/s)
})
