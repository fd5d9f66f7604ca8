import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  accepts,
  buildRegistry,
  checkOperatorRows,
  claimableTypes,
  effectiveType,
  type FieldTypeRow,
  flowTypes,
  orderTypes,
  readRegistry,
  requestableTypes,
  resolveType,
} from '../index.ts'

const names = ['text', 'date', 'number', 'select', '__proto__', 'constructor', 'toString', '0', '1', 'plugin', 'a', 'b']
const name = fc.constantFrom(...names)

/** Few names, so that duplicates, unknown parents and cycles of any length are common. */
const row: fc.Arbitrary<FieldTypeRow> = fc.record({
  type: name,
  parent: fc.option(name),
  label: fc.constantFrom('A', 'a', 'b', 'é', ''),
  input: fc.option(fc.constantFrom('line', 'list', 'composite', 'file', 'hologram')),
  lane: fc.option(fc.constantFrom('inline', 'photo', 'document')),
  check: fc.option(fc.constantFrom('url', 'pdf', 'iban')),
  options: fc.option(fc.constantFrom([], ['x'])),
  fields: fc.constant(null),
  validation: fc.option(fc.constantFrom('a+', '(', '.*')),
  is_system: fc.boolean(),
})
const rows = fc.array(row, { maxLength: 14 })

test('resolution ends for any parents, and agrees with a direct implementation', propertyLimits, () => {
  fc.assert(
    fc.property(rows, name, name, (list, type, other) => {
      const registry = buildRegistry(list)
      const walk = plainLineage(list, type)
      const [self] = walk
      expect(resolveType(registry, type)).toEqual({
        type,
        parent: self?.parent ?? null,
        label: self?.label ?? type,
        is_system: self?.is_system ?? false,
        known: self !== undefined,
        input: nearest(walk, 'input'),
        lane: nearest(walk, 'lane'),
        check: nearest(walk, 'check'),
        options: nearest(walk, 'options'),
        fields: null,
        validations: walk.flatMap(({ validation }) => validation ?? []).toReversed(),
      })
      expect(accepts(registry, other, type)).toBe(other === type || walk.some((ancestor) => ancestor.type === other))
      const root = walk.find((ancestor) => ancestor.type === 'date' || ancestor.type === 'number')
      expect(effectiveType(registry, type)).toBe(root?.type ?? type)
    }),
    propertySettings,
  )
})

test('the order of a picker holds every type once, each below its parent', propertyLimits, () => {
  fc.assert(
    fc.property(rows, fc.array(name), (list, wanted) => {
      const registry = buildRegistry(list)
      const ordered = orderTypes(registry, wanted)
      expect(ordered.toSorted()).toEqual([...new Set(wanted)].toSorted())
      for (const [index, type] of ordered.entries()) {
        const above = plainLineage(list, type).slice(1)
        for (const { type: ancestor } of above) expect(ordered.indexOf(ancestor)).toBeLessThan(index)
      }
      expect(orderTypes(registry, wanted.toReversed()).filter((type) => registry.nodes.has(type))).toEqual(
        ordered.filter((type) => registry.nodes.has(type)),
      )
    }),
    propertySettings,
  )
})

test('every type is allowed in a flow, claims are requestable, and sets hold no type twice', propertyLimits, () => {
  fc.assert(
    fc.property(rows, (list) => {
      const registry = buildRegistry(list)
      const requestable = new Set(requestableTypes(registry))
      expect(flowTypes(registry).toSorted()).toEqual([...registry.nodes.keys()].toSorted())
      expect(claimableTypes(registry).every((type) => requestable.has(type))).toBe(true)
      expect(registry.nodes.has('plugin')).toBe(false)
    }),
    propertySettings,
  )
})

const column = fc.oneof(fc.anything({ withNullPrototype: true, maxDepth: 2 }), name, fc.array(fc.string()))
const nearRow = fc.record(
  { type: column, parent: column, label: column, input: column, lane: column, check: column, options: column },
  { requiredKeys: [] },
)

test('no document makes the reader of a registry or of new rows throw', propertyLimits, () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(row, nearRow, fc.anything())), fc.anything(), (documents, document) => {
      const registry = readRegistry(documents)
      readRegistry(document)
      const checked = checkOperatorRows(registry, documents)
      expect(checked.ok ? documents.length : checked.refusal.length).toBeGreaterThanOrEqual(0)
    }),
    propertySettings,
  )
})

const newRow = fc.record({
  type: fc.constantFrom('n1', 'n2', 'n3', 'hasownproperty'),
  parent: fc.option(fc.constantFrom('n1', 'n2', 'n3', 'text', 'gone'), { freq: 1 }),
  label: fc.constant('New'),
  input: fc.constantFrom('line', 'date', 'hologram'),
  lane: fc.constant('inline'),
  validation: fc.option(fc.constantFrom('a+', '.*', '(')),
})

const newRows = fc.oneof(fc.tuple(newRow), fc.array(newRow, { minLength: 1, maxLength: 3 }))

test('accepted rows are read back as they were checked, and change no other type', propertyLimits, () => {
  let added = 0
  fc.assert(
    fc.property(rows, newRows, (present, candidates) => {
      const registry = buildRegistry(present)
      const checked = checkOperatorRows(registry, candidates)
      if (!checked.ok) return
      added += 1
      const grown = readRegistry(JSON.parse(JSON.stringify([...present, ...checked.value])))
      expect(grown.nodes.size).toBe(registry.nodes.size + candidates.length)
      for (const type of registry.nodes.keys()) expect(resolveType(grown, type)).toEqual(resolveType(registry, type))
      for (const { type } of candidates) expect(resolveType(grown, type)).toMatchObject({ known: true, lane: 'inline' })
    }),
    propertySettings,
  )
  // About half of the sets are accepted; far fewer would mean that nothing is tested here.
  expect(added).toBeGreaterThan(propertySettings.numRuns / 10)
})

/** The row and its ancestors, by the stated rules alone: the first row of a name counts, a row on a cycle is a root. */
function plainLineage(list: readonly FieldTypeRow[], type: string): readonly FieldTypeRow[] {
  const find = (wanted: string | null) => list.find((candidate) => candidate.type === wanted && wanted !== 'plugin')
  const parentOf = (child: FieldTypeRow) => (isOnCycle(child) ? undefined : find(child.parent))
  const isOnCycle = (start: FieldTypeRow) => {
    let at = find(start.parent)
    for (let step = 0; at !== undefined && step < list.length; step += 1) {
      if (at === start) return true
      at = find(at.parent)
    }
    return false
  }
  const walk: FieldTypeRow[] = []
  for (let at = find(type); at !== undefined; at = parentOf(at)) walk.push(at)
  return walk
}

function nearest<Column extends 'input' | 'lane' | 'check' | 'options'>(
  walk: readonly FieldTypeRow[],
  wanted: Column,
): FieldTypeRow[Column] | null {
  return walk.find((ancestor) => ancestor[wanted] !== null)?.[wanted] ?? null
}
