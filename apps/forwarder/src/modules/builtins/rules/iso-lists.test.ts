import { isPluginDescription, type PluginQuestion } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import type { Option } from '../model.ts'
import { isoLists } from './iso-lists.ts'

const question = (fieldType: string, members: Partial<PluginQuestion> = {}): PluginQuestion => ({
  field_type: fieldType,
  op: 'options',
  block: fieldType,
  query: '',
  picks: {},
  reply_key: '',
  ...members,
})

function search(fieldType: string, query: string): readonly Option[] {
  const reply = isoLists.answer(question(fieldType, { query }))
  return reply !== null && 'options' in reply ? reply.options : []
}

test('the description is one that a plugin may have', () => {
  expect(isPluginDescription({ ...isoLists.description, public_key: 'key' })).toBe(true)
})

test.each(['country', 'currency', 'language'])(
  'an empty query lists the first 50 of %s and says that there are more',
  (type) => {
    const reply = isoLists.answer(question(type))
    expect(reply).toMatchObject({ more: true })
    expect(search(type, '')).toHaveLength(50)
  },
)

test('a query finds by name, without accents, and by code', () => {
  expect(search('country', 'cote d')).toEqual([{ id: 'CI', label: 'Côte d’Ivoire' }])
  expect(search('country', 'nl')).toContainEqual({ id: 'NL', label: 'Netherlands' })
  expect(search('currency', 'swiss')).toEqual([{ id: 'CHF', label: 'Swiss Franc' }])
  expect(search('language', 'welsh')).toEqual([{ id: 'cy', label: 'Welsh' }])
  expect(isoLists.answer(question('country', { query: 'nowhere' }))).toEqual({ options: [], more: false })
})

test('a pick gives its outputs; one that is unknown is invalid', () => {
  const outputs = (picks: Record<string, string>) => isoLists.answer(question('country', { op: 'outputs', picks }))
  expect(outputs({ country: 'DE' })).toEqual({ outputs: { code: 'DE', name: 'Germany' } })
  expect(outputs({ country: 'XX' })).toEqual({ picks_invalid: true })
  expect(outputs({})).toEqual({ picks_invalid: true })
})

test('an unknown field type or block has no answer', () => {
  expect(isoLists.answer(question('planet'))).toBeNull()
  expect(isoLists.answer(question('toString'))).toBeNull()
  expect(isoLists.answer(question('country', { block: 'currency' }))).toBeNull()
})

test.each([
  ['country', 'region', 249],
  ['currency', 'currency', 154],
  ['language', 'language', 183],
] as const)('every code of %s has a name and is there once', (type, names, count) => {
  const display = new Intl.DisplayNames('en', { type: names, fallback: 'none' })
  const found = new Map<string, string>()
  for (const letter of 'abcdefghijklmnopqrstuvwxyz')
    for (const second of 'abcdefghijklmnopqrstuvwxyz')
      for (const option of search(type, `${letter}${second}`)) found.set(option.id, option.label)
  expect(found.size).toBe(count)
  expect([...found.keys()].filter((id) => display.of(id) === undefined)).toEqual([])
})
