import { expect, test } from 'vitest'
import { shownText, typedOver, withAnswer, withBlock } from './draft.ts'

const EMPTY = { at: null, answers: {} }

test('a text replaces the default, and follows it again when it is the default again', () => {
  const first = typedOver({ text: '10' }, undefined, '1')
  expect(first).toEqual({ kind: 'typed', text: '1', written: '10' })
  expect(typedOver({ text: '1' }, first, '12')).toEqual({ kind: 'typed', text: '12', written: '10' })
  const again = typedOver({ text: '12' }, first, '10')
  expect(again).toEqual({ kind: 'typed', text: '10', written: '10' })
  expect(shownText({ text: '20' }, again, true)).toBe('20')
  expect(typedOver({ text: '20' }, again, '2')).toEqual({ kind: 'typed', text: '2', written: '20' })
})

test('the text that was typed last is shown, though the question does not know it yet', () => {
  const emptied = typedOver({ text: 'a' }, { kind: 'typed', text: 'a', written: '' }, '')
  expect(shownText({ text: 'a' }, emptied, false)).toBe('')
  expect(shownText({ text: null }, emptied, true)).toBe('')
})

test('an answer that is taken back leaves the others', () => {
  const typed = { kind: 'typed', text: 'x', written: '' } as const
  const both = withAnswer(withAnswer(EMPTY, 'one', 'a', typed), 'one', 'b', typed)
  expect(withAnswer(both, 'one', 'a', null).answers).toEqual({ one: { b: typed } })
})

test('a changed block empties those that depend on it, and theirs', () => {
  const blocks = [
    { key: 'land', kind: 'search_select', label: '', dependsOn: [] },
    { key: 'town', kind: 'search_select', label: '', dependsOn: ['land'] },
    { key: 'street', kind: 'search_select', label: '', dependsOn: ['town'] },
    { key: 'number', kind: 'text', label: '', dependsOn: [] },
  ] as const
  const option = (id: string) => ({ id, label: id })
  const filled = { land: option('se'), town: option('gbg'), street: option('storgatan'), number: '14' }
  expect(withBlock(blocks, filled, 'land', option('de'))).toEqual({ number: '14', land: option('de') })
  expect(withBlock(blocks, filled, 'number', '')).toEqual({
    land: option('se'),
    town: option('gbg'),
    street: option('storgatan'),
  })
})
