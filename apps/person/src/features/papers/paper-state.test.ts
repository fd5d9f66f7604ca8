import { expect, test } from 'vitest'
import { papers as german } from '../../words/de/papers.ts'
import { papers } from '../../words/en/papers.ts'
import { privacyOf } from './paper-state.ts'

test('a paper that its company has marked private says so, and no other', () => {
  expect(privacyOf(papers, { isPrivate: true })).toEqual(['Private'])
  expect(privacyOf(german, { isPrivate: true })).toEqual(['Vertraulich'])
  expect(privacyOf(papers, { isPrivate: false })).toEqual([])
})
