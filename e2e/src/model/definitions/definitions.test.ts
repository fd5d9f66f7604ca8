import { issueCatalog } from '@sealpost/protocol'
import { openDice } from '@sealpost/testkit/dice'
import { propertyRuns } from '@sealpost/testkit/property-runs'
import { expect, test } from 'vitest'
import { Counts } from '../flows/counts.ts'
import { FIELD_TYPES } from '../flows/field-values.ts'
import { FACTS } from '../flows/names.ts'
import { randomFlow } from '../flows/random-flow.ts'
import { fieldsOf } from '../flows/written.ts'
import { checkDefinition } from './check-definition.ts'

const COUNT = Math.ceil(propertyRuns() / 10)

test('random definitions are publishable, their runs end, and every fault is found at its place', () => {
  const counts = new Counts()
  for (let seed = 0; seed < COUNT; seed += 1) checkDefinition(seed, counts)
  expect(counts.get('definitions')).toBe(COUNT)
  const found = Object.keys(issueCatalog).filter((key) => counts.get(`found ${key}`) > 0)
  expect(found).toEqual(Object.keys(issueCatalog))
  expect(counts.get('end completed')).toBeGreaterThan(0)
  expect(counts.get('end generating')).toBeGreaterThan(0)
})

test('random definitions have all field types and up to twenty parties, with and without types', () => {
  const flows = Array.from({ length: 2000 }, (_, seed) => randomFlow(openDice(seed), FACTS))
  const types = new Set(flows.flatMap(({ nodes }) => nodes.flatMap(fieldsOf).map(({ field_type }) => field_type)))
  expect(types).toEqual(new Set(Object.values(FIELD_TYPES).flat()))
  const sizes = flows.map(({ parties }) => parties.length)
  expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([2, 20])
  expect(new Set(flows.map(({ parties }) => parties.some(({ type }) => type !== undefined)))).toEqual(
    new Set([true, false]),
  )
})
