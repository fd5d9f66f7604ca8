import type { Definition } from '@sealpost/flow'
import { describe, expect, test } from 'vitest'
import {
  customers,
  definition,
  PARTNER,
  partner,
  PERSON,
  person,
  STRANGER,
  targets,
  untyped,
  US,
} from '../../testing/run-parts.ts'
import { bindParties, type GivenBindings } from './bind-parties.ts'

function bound(of: Definition, given: Partial<GivenBindings>) {
  const all = { companyId: US, target: null, targets: new Map(), bindings: new Map(), customers, ...given }
  const result = bindParties(of, all)
  return result.ok ? Object.fromEntries(result.value.map(({ partyKey, userId }) => [partyKey, userId])) : result.refusal
}

describe('binding', () => {
  const all = { us: US, customer: PERSON, partner: PARTNER }

  test('targets give each typed party a customer of its type; the owner is bound by itself and named by none [RUN-10] [RUN-11]', () => {
    expect(bound(definition, { targets })).toEqual(all)
    const swapped = new Map([
      ['customer', partner],
      ['partner', person],
    ])
    expect(bound(definition, { targets: swapped })).toBe('flows.bindings_invalid')
    expect(bound(definition, { targets: new Map([...targets, ['us', person]]) })).toBe('flows.bindings_invalid')
  })

  test('a party without a customer is refused [RUN-13]', () => {
    expect(bound(definition, {})).toBe('flows.bindings_invalid')
    expect(bound(definition, { targets: new Map([['customer', person]]) })).toBe('flows.bindings_invalid')
    expect(bound(untyped, { bindings: new Map([['us', US]]) })).toBe('flows.bindings_invalid')
  })

  test('target fills the parties that bindings leave open [RUN-09]', () => {
    const bindings = new Map([
      ['us', US],
      ['partner', PARTNER],
    ])
    expect(bound(untyped, { target: person, bindings })).toEqual(all)
    expect(bound(untyped, { target: person, bindings: new Map([['us', US]]) })).toEqual({ ...all, partner: PERSON })
  })

  test('untyped parties are bound by the caller: bindings win, and alone they are enough [FLOW-04] [RUN-12]', () => {
    expect(bound(untyped, { bindings: new Map(Object.entries(all)) })).toEqual(all)
    const won = new Map([
      ['us', US],
      ['customer', PARTNER],
    ])
    expect(bound(untyped, { target: person, bindings: won })).toEqual({ us: US, customer: PARTNER, partner: PERSON })
    expect(bound(untyped, { bindings: new Map(Object.entries({ ...all, customer: STRANGER })) })).toBe(
      'flows.bindings_invalid',
    )
  })

  test('the company alone is no run [RUN-14]', () => {
    const alone = new Map(['us', 'customer', 'partner'].map((key) => [key, US]))
    expect(bound(untyped, { bindings: alone })).toBe('flows.no_counterparty')
  })
})
