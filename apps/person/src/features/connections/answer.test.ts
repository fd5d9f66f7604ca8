import { expect, test } from 'vitest'
import type { AskedView } from '../../worker/commands/connections.ts'
import { firstChoice, missingOf, wishesOf } from './answer.ts'

const asked = (members: Partial<AskedView>): AskedView => ({
  id: 'r',
  slug: 'name',
  label: 'Name',
  type: { type: 'text', input: 'line', isFile: false, options: [], entries: [] },
  isOneTime: false,
  isNeeded: false,
  wantsVerified: false,
  fits: [],
  suggested: null,
  given: null,
  isPending: false,
  isDeclined: false,
  ...members,
})

test('what is not needed is given only when the person chooses so', () => {
  expect(firstChoice(asked({ fits: ['f1'], suggested: 'f1' }))).toEqual({ kind: 'nothing' })
  expect(firstChoice(asked({ fits: ['f1'], suggested: 'f1', isNeeded: true }))).toEqual({
    kind: 'field',
    fieldId: 'f1',
  })
  expect(firstChoice(asked({ fits: ['f1'], isNeeded: true }))).toEqual({ kind: 'undecided' })
})

test('what is needed and left open, withheld or empty is missing', () => {
  const rows = ['a', 'b', 'c', 'd'].map((slug) => asked({ slug, isNeeded: true }))
  const choices = {
    a: { kind: 'field', fieldId: 'f' },
    b: { kind: 'nothing' },
    c: { kind: 'typed', text: '  ', keepIn: null },
  } as const
  expect(missingOf(rows, choices)).toEqual(['b', 'c', 'd'])
  expect(wishesOf(choices)).toEqual({ a: { fieldId: 'f' } })
})
