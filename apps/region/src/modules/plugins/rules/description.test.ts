import type { PluginDescription, PluginFieldType } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import { isSoundDescription } from './description.ts'

const country = { key: 'country', kind: 'search_select', label: 'Country' } as const
const city = { key: 'city', kind: 'search_select', label: 'City', depends_on: ['country'] } as const
const amount = { key: 'amount', type: 'number', label: 'Amount', required: true } as const
const percent = { key: 'percent', type: 'number', label: 'Percent' } as const

function typed(parts: Partial<PluginFieldType> = {}): PluginFieldType {
  return {
    key: 'rate',
    label: 'Rate',
    blocks: [country, { ...city, depends_on: ['country'] }],
    inputs: [amount],
    outputs: [percent],
    ...parts,
  }
}

function described(...types: PluginFieldType[]): PluginDescription {
  return { name: 'VAT', public_key: 'key', field_types: types }
}

test('a description with distinct keys is sound', () => {
  expect(isSoundDescription(described(typed(), typed({ key: 'other' })))).toBe(true)
  expect(isSoundDescription(described())).toBe(true)
})

describe('a description is refused', () => {
  test.each<[string, PluginFieldType[]]>([
    ['with a field type twice', [typed(), typed()]],
    ['with a block twice', [typed({ blocks: [country, country] })]],
    ['with an output that is named like a block', [typed({ outputs: [{ ...percent, key: 'city' }] })]],
    ['with an input twice', [typed({ inputs: [amount, amount] })]],
    ['with a block that depends on none', [typed({ blocks: [{ ...city, depends_on: ['country'] }] })]],
    ['with a block that depends on itself', [typed({ blocks: [{ ...country, depends_on: ['country'] }] })]],
  ])('%s', (_, types) => {
    expect(isSoundDescription(described(...types))).toBe(false)
  })
})
