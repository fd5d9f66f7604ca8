import { expect, test } from 'vitest'
import type { AskedRow } from '../../../worker/commands/request-rows.ts'
import { differenceOf, isSame, mergeRows, rowsOfBoth, valuesLost } from './difference.ts'

const row = (slug: string, more: Partial<AskedRow> = {}): AskedRow => ({
  id: slug,
  slug,
  label: slug,
  type: 'text',
  oneTime: false,
  mandatoryProvide: false,
  mandatoryConnected: false,
  audience: 'both',
  verified: false,
  maxAgeDays: null,
  plugin: null,
  flowName: null,
  values: 0,
  ...more,
})

const BASE = [row('name', { values: 7 }), row('phone', { values: 5 }), row('note')]

test('a difference names what is added, changed member by member, and removed with its values', () => {
  const after = [row('name', { label: 'Full name', verified: true }), row('note'), row('', { id: null, label: 'Pet' })]
  const difference = differenceOf(BASE, after)
  expect(difference.added.map(({ label }) => label)).toEqual(['Pet'])
  expect(difference.changed.map(({ members }) => members)).toEqual([['label', 'verified']])
  expect(difference.removed.map(({ slug }) => slug)).toEqual(['phone'])
  expect(valuesLost(difference)).toBe(5)
  expect(isSame(differenceOf(BASE, BASE))).toBe(true)
})

test('changes of both sides are kept where they do not meet', () => {
  const theirs = [row('name', { label: 'Your name' }), row('phone'), row('note'), row('mail')]
  const mine = [row('name', { verified: true }), row('note'), row('', { id: null, label: 'Pet' })]
  const merged = mergeRows(BASE, theirs, mine)
  expect(merged.map(({ slug, label, verified }) => [slug, label, verified])).toEqual([
    ['name', 'Your name', true],
    ['note', 'note', false],
    ['mail', 'mail', false],
    ['', 'Pet', false],
  ])
  expect(rowsOfBoth(BASE, theirs, mine).map(({ slug }) => slug)).toEqual(['name'])
})

test('what was changed here wins over the same member of theirs; what they removed stays removed', () => {
  const theirs = [row('name', { label: 'Theirs' })]
  const mine = [row('name', { label: 'Mine' }), row('phone', { label: 'Mobile' }), row('note')]
  expect(mergeRows(BASE, theirs, mine).map(({ label }) => label)).toEqual(['Mine'])
  expect(rowsOfBoth(BASE, theirs, mine).map(({ slug }) => slug)).toEqual(['name', 'phone'])
})
