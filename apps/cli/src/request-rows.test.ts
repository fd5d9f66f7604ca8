import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ManagedRequestField } from '@sealpost/sdk'
import { expect, test } from 'vitest'
import { differenceOf, isSame, linesOf } from './request-rows/difference.ts'
import { openTerminal } from './testing.ts'

const published = (slug: string, more: Partial<ManagedRequestField> = {}): ManagedRequestField => ({
  id: `id of ${slug}`,
  slug,
  label: slug.toUpperCase(),
  type: 'text',
  one_time: false,
  mandatory: false,
  mandatory_provide: false,
  mandatory_connected: false,
  verified: false,
  verified_max_age_days: null,
  plugin: null,
  audience: 'both',
  ...more,
})
const given = (slug: string) => ({ slug, label: slug.toUpperCase(), type: 'text' })

test('rows are matched by id, then by slug', () => {
  const rows = [published('a'), published('b'), published('c')]
  const renamed = differenceOf(rows, [{ ...given('x'), id: 'id of a' }, given('b'), given('a')])
  expect(linesOf(renamed, new Map())).toEqual([
    '+ a: "A", text',
    '~ x: slug "a" -> "x", label "A" -> "X"',
    '- c: "C"; deletes the values that customers have given',
  ])
  const kept = differenceOf(rows, [{ label: 'A', type: 'text', id: 'id of a' }, given('b'), given('c')])
  expect(isSame(kept)).toBe(true)
  expect(differenceOf(rows, [given('b'), given('a'), given('c')]).isReordered).toBe(true)
})

test('an absent member means what the platform takes it for', () => {
  const rows = [published('a', { audience: 'person', one_time: true, verified: true, verified_max_age_days: 9 })]
  expect(linesOf(differenceOf(rows, [given('a')]), new Map())).toEqual([
    '~ a: verified true -> false, verified_max_age_days 9 -> null',
  ])
  const must = [published('a', { mandatory: true, mandatory_connected: true })]
  expect(linesOf(differenceOf(must, [{ ...given('a'), mandatory: true }]), new Map())).toEqual([
    '~ a: mandatory_provide false -> true, mandatory_connected true -> false',
  ])
  expect(isSame(differenceOf(must, [{ ...given('a'), mandatory: false, mandatory_connected: true }]))).toBe(true)
})

test('rows of flows are in no difference', () => {
  const flow = { ...published('f'), flow_id: 'f1' }
  expect(isSame(differenceOf([published('a'), flow], [given('a')]))).toBe(true)
  expect(isSame(differenceOf([published('a')], [given('a'), flow]))).toBe(true)
})

test.each([
  [[{ ...given('a'), oneTime: true }], 'row 1 has "oneTime"; did you mean "one_time"?'],
  [[given('a'), { ...given('b'), mandatry: true }], 'row 2 has "mandatry"; did you mean "mandatory"?'],
  [[{ ...given('a'), colour: 'red' }], 'row 1 has "colour", which is not a member of a row'],
  [{ request_field: [], config_token: 'x' }, 'it has "request_field"; did you mean "request_fields"?'],
  [{ rows: [] }, 'it has "rows", which is not a member of the file'],
  [{ config_token: 'x' }, 'must contain a list of rows'],
  [[{ slug: 'a', label: 'A' }], 'must contain a list of rows, each with label and type'],
  [[{ label: 'First name', type: 'text' }], 'row 1 ("First name") has no slug'],
])('the file %j is refused before any call', async (document, sentence) => {
  using terminal = openTerminal()
  writeFileSync(join(terminal.folder, 'fields.json'), JSON.stringify(document))
  const { code, logged } = await terminal.run('services', 'request-fields', 'push', 'some-id', '--file', 'fields.json')
  expect(code).toBe(1)
  expect(logged).toContain(sentence)
  expect(logged).toContain('fields.json')
})
