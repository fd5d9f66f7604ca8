import { describe, expect, test } from 'vitest'
import {
  accepts,
  buildRegistry,
  checkOperatorRows,
  displayLabel,
  type FieldTypeRow,
  lanes,
  orderTypes,
  readRegistry,
  readRow,
  resolveType,
  rowReasons,
  seedRows,
  validateValue,
} from '../index.ts'

const seed = buildRegistry(seedRows)
const columns = ['check', 'fields', 'input', 'is_system', 'label', 'lane', 'options', 'parent', 'type', 'validation']

function withRows(...rows: readonly (Partial<FieldTypeRow> & { readonly type: string })[]) {
  return readRegistry([...seedRows, ...rows.map((row) => ({ label: row.type, ...row }))])
}

function refusals(...rows: readonly unknown[]): readonly string[] {
  const checked = checkOperatorRows(seed, rows)
  return checked.ok ? [] : checked.refusal.map(({ path, reason }) => `${path.join('.')} ${reason}`)
}

describe('rows', () => {
  test('every row, read or seeded, has exactly the ten columns [FTYPE-02]', () => {
    const read = readRow({ type: 'badge', label: 'Badge', colour: 'red' })
    const rows = [...seedRows, ...(read.ok ? [read.value] : [])]
    expect(rows).toHaveLength(seedRows.length + 1)
    for (const row of rows) expect(Object.keys(row).toSorted()).toEqual(columns)
  })

  test('a name is never reused, and a parent is another type or null [FTYPE-03]', () => {
    expect(refusals({ type: 'email', parent: 'text', label: 'Mine' })).toEqual(['0.type type_taken'])
    expect(refusals({ type: 'badge', parent: 'badge', label: 'Badge' })).toEqual(['0.parent parent_cycle'])
    expect(refusals({ type: 'badge', parent: 'gone', label: 'Badge' })).toEqual(['0.parent parent_unknown'])
    expect(refusals({ type: 'badge', parent: null, label: 'Badge', input: 'line', lane: 'inline' })).toEqual([])
  })

  test('a system label is translated, an operator label is shown unchanged [FTYPE-04]', () => {
    const translate = (key: string) => new Map([['fieldtype_email', 'E-mailadres']]).get(key)
    expect(displayLabel({ label: 'fieldtype_email', is_system: true }, translate)).toBe('E-mailadres')
    expect(displayLabel({ label: 'fieldtype_email', is_system: false }, translate)).toBe('fieldtype_email')
    expect(displayLabel({ label: 'fieldtype_new', is_system: true }, translate)).toBe('fieldtype_new')
    expect(seedRows.every((row) => row.is_system && row.label === `fieldtype_${row.type}`)).toBe(true)
  })

  test('a lane is inline, photo or document; a row with another is ignored [FTYPE-05]', () => {
    expect(lanes).toEqual(['inline', 'photo', 'document'])
    for (const { type } of seedRows) expect(lanes).toContain(resolveType(seed, type).lane)
    expect(readRow({ type: 'clip', label: 'Clip', lane: 'video' }).ok).toBe(false)
    expect(refusals({ type: 'clip', label: 'Clip', lane: 'video' })).toEqual(['0.lane column_malformed'])
  })

  test('a type accepts the values of its descendants, so a file never descends from a text, nor a text from a file', () => {
    const scan = { type: 'scan', parent: 'text', label: 'Scan', input: 'file', lane: 'document' }
    expect(refusals(scan)).toEqual(['0.lane lane_unlike_parent'])
    expect(refusals({ type: 'note', parent: 'document', label: 'Note', input: 'line', lane: 'inline' })).toEqual([
      '0.lane lane_unlike_parent',
    ])
    const base = { type: 'base', parent: null, label: 'Base', input: 'line', lane: 'inline' }
    expect(refusals(base, { ...scan, parent: 'base' })).toEqual(['1.lane lane_unlike_parent'])
    expect(refusals({ ...scan, parent: 'photo' })).toEqual([])
    for (const { type, parent } of seedRows) {
      const isText = (name: string) => resolveType(seed, name).lane === 'inline'
      if (parent !== null) expect([type, isText(type)]).toEqual([type, isText(parent)])
    }
  })

  test('a type of text is inline, pages are documents, and a file is not inline', () => {
    const fields = [{ key: 'a', input: 'line' }]
    const lane = (input: string, where: string) =>
      refusals({
        type: 'badge',
        parent: null,
        label: 'Badge',
        input,
        lane: where,
        ...(input === 'composite' ? { fields } : {}),
      })
    for (const input of ['line', 'date', 'composite', 'phone']) {
      expect(lane(input, 'inline')).toEqual([])
      expect(lane(input, 'document')).toEqual(['0.lane lane_mismatch'])
    }
    expect([lane('pages', 'document'), lane('pages', 'photo'), lane('pages', 'inline')]).toEqual([
      [],
      ['0.lane lane_mismatch'],
      ['0.lane lane_mismatch'],
    ])
    expect([lane('file', 'document'), lane('file', 'photo'), lane('file', 'inline')]).toEqual([
      [],
      [],
      ['0.lane lane_mismatch'],
    ])
    expect(lane('hologram', 'document')).toEqual([])
  })

  test('a regex names characters, not halves of them', () => {
    const regex = (validation: string) => refusals({ type: 'badge', parent: 'text', label: 'Badge', validation })
    for (const half of [String.raw`\ud800`, String.raw`\udfff`, String.raw`\u{dfff}`, String.raw`[\udbff]`])
      expect(regex(half)).toEqual(['0.validation pattern_outside_subset'])
    for (const whole of [String.raw`\ud7ff`, String.raw`\ue000`, String.raw`\u{10ffff}`, String.raw`\ud83d\ude00`])
      expect(regex(whole)).toEqual([])
  })

  test('every entry has key, input, required, check, validation and options [FTYPE-06]', () => {
    const entries = seedRows.flatMap((row) => row.fields ?? [])
    expect(entries.length).toBeGreaterThan(15)
    for (const entry of entries) {
      expect(Object.keys(entry)).toEqual(['key', 'input', 'required', 'check', 'validation', 'options'])
    }
    expect(readRow({ type: 'x', label: 'X', fields: [{ key: 'a' }] })).toMatchObject({
      value: { fields: [{ key: 'a', input: null, required: false, check: null, validation: null, options: null }] },
    })
  })

  test('plugin is never a row: a reader ignores it, an operator cannot add it [FTYPE-42]', () => {
    const registry = withRows({ type: 'plugin', parent: 'number' })
    expect(resolveType(registry, 'plugin').known).toBe(false)
    expect(validateValue(registry, 'plugin', 'not a number').ok).toBe(true)
    expect(refusals({ type: 'plugin', parent: 'text', label: 'Plugin' })).toEqual(['0.type type_reserved'])
  })

  test('all seed rows pass the rules for new rows, except for being system rows', () => {
    const checked = checkOperatorRows(
      buildRegistry([]),
      seedRows.map((row) => ({ ...row, is_system: false })),
    )
    expect(checked.ok).toBe(true)
  })

  test('every reason is a full sentence', () => {
    for (const sentence of Object.values(rowReasons)) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })
})

describe('inheritance', () => {
  test('a null column comes from the nearest ancestor that sets it [FTYPE-08]', () => {
    const registry = withRows(
      { type: 'a', input: 'list', lane: 'inline', check: 'number', options: ['1'], fields: [] },
      { type: 'b', parent: 'a', check: 'integer' },
      { type: 'c', parent: 'b', options: ['2'] },
      { type: 'd', parent: 'c' },
    )
    expect(resolveType(registry, 'd')).toMatchObject({
      input: 'list',
      lane: 'inline',
      check: 'integer',
      options: ['2'],
      fields: [],
    })
    expect(resolveType(registry, 'b')).toMatchObject({ check: 'integer', options: ['1'] })
  })

  test('regexes accumulate, root first [FTYPE-09]', () => {
    const registry = withRows(
      { type: 'word', parent: 'text', validation: '[a-z]+' },
      { type: 'plain', parent: 'word' },
      { type: 'short', parent: 'plain', validation: '.{1,3}' },
    )
    expect(resolveType(registry, 'short').validations).toEqual(['[a-z]+', '.{1,3}'])
    const valid = ['abc', 'ABC', 'abcd'].map((text) => validateValue(registry, 'short', text).ok)
    expect(valid).toEqual([true, false, false])
  })

  test('values are validated by the resolved row, not by the row itself [FTYPE-10]', () => {
    expect(seedRows.find((row) => row.type === 'date_of_birth')?.input).toBeNull()
    expect(validateValue(seed, 'date_of_birth', 'yesterday').ok).toBe(false)
    expect(validateValue(seed, 'passport', '{"pages":[]}').ok).toBe(false)
  })

  test('a chain of 20,000 parents neither overflows nor takes quadratic time', () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      type: `t${index}`,
      parent: `t${index + 1}`,
      label: '',
    }))
    const registry = readRegistry([...rows, { type: 't20000', label: '', input: 'date', lane: 'inline' }])
    expect(resolveType(registry, 't0').input).toBe('date')
    expect(accepts(registry, 't20000', 't0')).toBe(true)
    expect(orderTypes(registry, ['t0', 't20000', 't10000'])).toEqual(['t20000', 't10000', 't0'])
  })
})

describe('the seed', () => {
  const childrenOf = (parent: string | null) => seedRows.filter((row) => row.parent === parent).map((row) => row.type)

  test('text is the root of the texts, with date_of_birth under date [FTYPE-11]', () => {
    const texts = 'email phone url gender country nationality personal_number place_of_birth date'
    expect(childrenOf('text').toSorted()).toEqual(texts.split(' ').toSorted())
    expect(childrenOf('date')).toEqual(['date_of_birth'])
  })

  test('number is the root of integer, decimal and float [FTYPE-12]', () => {
    expect(childrenOf('number')).toEqual(['integer', 'decimal', 'float'])
  })

  test('document is the root of pdf_document [FTYPE-13]', () => {
    expect(childrenOf('document')).toEqual(['pdf_document'])
  })

  test('proof_of_identity and its four children stand under legal_document [FTYPE-14]', () => {
    expect(childrenOf('legal_document')).toEqual(['proof_of_identity'])
    const papers = ['passport', 'photo_id', 'drivers_license', 'residence_permit']
    expect(childrenOf('proof_of_identity')).toEqual(papers)
  })

  test('address, creditcard, bank, photo, select and multiselect are roots without children [FTYPE-15]', () => {
    for (const type of ['address', 'creditcard', 'bank', 'photo', 'select', 'multiselect']) {
      expect(childrenOf(null)).toContain(type)
      expect(childrenOf(type)).toEqual([])
    }
  })
})

test('a slot accepts its own type and any type below it, never one above [FTYPE-17]', () => {
  expect(accepts(seed, 'legal_document', 'passport')).toBe(true)
  expect(accepts(seed, 'legal_document', 'legal_document')).toBe(true)
  expect(accepts(seed, 'passport', 'legal_document')).toBe(false)
  expect(accepts(seed, 'passport', 'photo_id')).toBe(false)
})

test('a picker sorts by the labels of its language', () => {
  const words = new Map([
    ['text', 'Zin'],
    ['number', 'aantal'],
    ['url', 'Ångström'],
    ['email', 'Zmail'],
  ])
  const label = (type: string) => words.get(type)
  const german = new Intl.Collator('de')
  expect(orderTypes(seed, words.keys(), { label })).toEqual(['number', 'text', 'email', 'url'])
  const compare = (left: string, right: string) => german.compare(left, right)
  expect(orderTypes(seed, words.keys(), { label, compare })).toEqual(['number', 'text', 'url', 'email'])
})
