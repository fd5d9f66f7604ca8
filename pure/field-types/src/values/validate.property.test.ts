import { instant } from '@sealpost/kernel'
import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyCheck,
  buildRegistry,
  countries,
  type FieldEntry,
  type FieldTypeRow,
  isCalendarDate,
  normaliseValue,
  parsePlaceOfBirth,
  readAttestation,
  readRegistry,
  resolveType,
  usStates,
  validateValue,
  validateWrite,
  valueReasons,
} from '../index.ts'

const inputs = ['line', 'date', 'list', 'multilist', 'country', 'nationality', 'state', 'phone']
const structured = ['composite', 'file', 'pages', 'hologram']
const keys = ['a', '__proto__', 'constructor', 'file', 'pages', 'size', 'name']
const checks = ['url', 'card', 'number', 'integer', 'decimal', 'float', 'pdf', 'iban']
const patterns = ['a+', '.*', '[^ ]*', String.raw`\S+`, '[0-9.]+', '(', '(?=a)a', 'https://.*', '']
const options = fc.option(fc.constantFrom<string[]>([], ['a'], ['a', 'NL', '5']))

const entry: fc.Arbitrary<FieldEntry> = fc.record({
  key: fc.constantFrom(...keys),
  input: fc.option(fc.constantFrom(...inputs, 'hologram')),
  required: fc.boolean(),
  check: fc.option(fc.constantFrom(...checks)),
  validation: fc.option(fc.constantFrom(...patterns)),
  options,
})

function rowsWith(input: fc.Arbitrary<string>): fc.Arbitrary<readonly FieldTypeRow[]> {
  const column = fc.record({
    input: fc.option(input),
    lane: fc.option(fc.constantFrom('inline', 'photo', 'document')),
    check: fc.option(fc.constantFrom(...checks), { freq: 2 }),
    options,
    fields: fc.option(fc.array(entry, { maxLength: 4 })),
    validation: fc.option(fc.constantFrom(...patterns)),
  })
  return fc.array(column, { minLength: 1, maxLength: 3 }).map((list) =>
    list.map((columns, level) => ({
      type: `t${level}`,
      parent: level === 0 ? null : `t${level - 1}`,
      label: '',
      is_system: false,
      ...columns,
    })),
  )
}

const words = ['a', 'aa', ' 5 ', '5', '-1.5e3', '1e999', '5.', '.5', '+5', '12345678.90', '0x1', 'NL', 'XK', 'CA', 'nl']
const moreWords = [
  '+31 6-1234',
  '12',
  'example.com',
  'http://x.yy',
  'ftp://x.yy',
  'x.yy:80',
  'https://a b.cc',
  'a@b.cc',
]
const lastWords = [
  '4111 1111-1111 1111',
  '4111111111111112',
  '2024-02-29',
  '2023-02-29',
  '["a"]',
  '["a","b"]',
  '[]',
  '{}',
]
const word = fc.constantFrom(...words, ...moreWords, ...lastWords)
const scalarText = fc.oneof(
  word,
  fc.string({ maxLength: 12 }),
  fc.tuple(word, word).map((parts) => parts.join('')),
)

test('a text is validated as the rules say one by one, on any lineage', propertyLimits, () => {
  let refused = 0
  fc.assert(
    fc.property(rowsWith(fc.constantFrom(...inputs, 'hologram')), scalarText, options, (rows, text, stepOptions) => {
      const type = `t${rows.length - 1}`
      const registry = buildRegistry(rows)
      const definition = resolveType(registry, type)
      const verdict = validateValue(registry, type, text, { options: stepOptions ?? undefined })
      const own = definition.options ?? []
      expect(verdict.ok).toBe(plainVerdict(definition, text, own.length > 0 ? own : (stepOptions ?? [])))
      if (!verdict.ok) refused += 1
    }),
    propertySettings,
  )
  expect(refused).toBeGreaterThan(propertySettings.numRuns / 10)
})

const member = fc.oneof(scalarText, fc.constantFrom('data:a/b;base64,AAAA', 'front'), fc.jsonValue({ maxDepth: 2 }))
const page = fc.oneof(member, fc.dictionary(fc.constantFrom('file', 'label', 'size', '__proto__'), member))
const object = fc.dictionary(fc.constantFrom(...keys), fc.oneof(member, fc.array(page, { maxLength: 12 })))
const anyValue = fc.oneof(
  object.map((value) => JSON.stringify(value)),
  scalarText,
  fc.json(),
  fc.anything(),
)
const anyRows = fc.oneof(rowsWith(fc.constantFrom(...inputs, ...structured)), fc.array(fc.anything()))

test('no registry and no value makes a validator throw; a refusal says where and why', propertyLimits, () => {
  fc.assert(
    fc.property(anyRows, anyValue, fc.double(), (rows, value, maxMb) => {
      const registry = readRegistry(rows)
      for (const type of [...registry.nodes.keys(), 'absent']) {
        const stored = validateValue(registry, type, value)
        const written = validateWrite(registry, type, value, { maxMb })
        const reasons = [stored, written]
          .flatMap((verdict) => (verdict.ok ? [] : verdict.refusal))
          .map(({ reason }) => reason)
        expect(reasons.filter((reason) => !Object.hasOwn(valueReasons, reason))).toEqual([])
        expect(reasons.length > 0).toBe(!stored.ok || !written.ok)
        // A value that may be written is valid.
        expect(written.ok && !stored.ok).toBe(false)
      }
    }),
    propertySettings,
  )
})

test(
  'a valid text stays valid when it is sealed in its normalised form, which does not change again',
  propertyLimits,
  () => {
    fc.assert(
      fc.property(rowsWith(fc.constant('line')), scalarText, (rows, text) => {
        const registry = buildRegistry(rows)
        const type = `t${rows.length - 1}`
        if (!validateValue(registry, type, text).ok) return
        const sealed = normaliseValue(registry, type, text)
        expect(validateValue(registry, type, sealed).ok).toBe(true)
        expect(normaliseValue(registry, type, sealed)).toBe(sealed)
      }),
      propertySettings,
    )
  },
)

test('dates agree with the calendar of the platform', propertyLimits, () => {
  const number = fc.integer({ min: 0, max: 40 }).map((part) => String(part).padStart(2, '0'))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), number, number, (year, month, day) => {
      const text = `${String(year).padStart(4, '0')}-${month}-${day}`
      const ms = Date.parse(`${text}T00:00:00Z`)
      const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
      expect(isCalendarDate(text)).toBe(isReal)
    }),
    propertySettings,
  )
})

test('attestations, places and normalisation accept any input', propertyLimits, () => {
  const members = fc.record(
    {
      verified_hash: fc.oneof(fc.anything(), fc.constant('0'.repeat(64))),
      verified_salt: fc.oneof(fc.anything(), fc.constant('0'.repeat(32))),
      verified_at: fc.oneof(fc.anything(), fc.constant('2026-01-01T00:00:00Z')),
      verified_expires_at: fc.oneof(fc.anything(), fc.constant('2026-01-01T00:00:00Z')),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(members, fc.anything()), fc.string(), fc.integer(), anyRows, (value, text, now, rows) => {
      const attestation = readAttestation(value, instant(now))
      expect(attestation?.expiresAt ?? now + 1).toBeGreaterThan(now)
      expect(countries.has(parsePlaceOfBirth(text)?.country ?? 'NL')).toBe(true)
      const registry = readRegistry(rows)
      for (const type of registry.nodes.keys()) expect(normaliseValue(registry, type, text)).toBeTypeOf('string')
    }),
    propertySettings,
  )
})

/** The rules, written as they are stated, for short texts: native regexes that backtrack are good enough here. */
function plainVerdict(definition: ReturnType<typeof resolveType>, text: string, choices: readonly string[]): boolean {
  if (text === '') return true
  const normalised = plainCheck(definition.check, text)
  const patternsHold = definition.validations.every((source) => {
    const compiles = source !== '(' && !source.startsWith('(?=')
    return normalised !== null && (!compiles || new RegExp(`^(?:${source})$`, 'u').test(normalised))
  })
  return plainPrimitive(definition.input, text, choices) && normalised !== null && patternsHold
}

function plainPrimitive(input: string | null, text: string, choices: readonly string[]): boolean {
  if (input === 'date') return isCalendarDate(text)
  if (input === 'country' || input === 'nationality') return countries.has(text)
  if (input === 'state') return usStates.has(text)
  if (input === 'phone') return /^\+?\d{4,15}$/.test(text.replaceAll(/[ \-().]/g, ''))
  if (input === 'list') return choices.includes(text)
  return input !== 'multilist' || plainMultilist(text, choices)
}

function plainMultilist(text: string, choices: readonly string[]): boolean {
  if (choices.length === 0) return false
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => choices.includes(item))
  } catch {
    return false
  }
}

function plainCheck(check: string | null, text: string): string | null {
  const trimmed = text.trim()
  if (check === 'number') {
    const fits = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(trimmed) && Number.isFinite(Number(trimmed))
    return fits ? trimmed : null
  }
  if (check === 'integer') return /^-?[0-9]+$/.test(trimmed) ? trimmed : null
  if (check === 'decimal') return /^-?[0-9]{1,8}(\.[0-9]{1,2})?$/.test(trimmed) ? trimmed : null
  if (check === 'float') return /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(trimmed) ? trimmed : null
  if (check === 'url') {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]
    if (scheme !== undefined && !['http', 'https'].includes(scheme.toLowerCase())) return null
    const url = scheme === undefined ? `https://${text}` : text
    return /^https?:\/\/[^\s/$.?#][^\s]*\.[^\s]{2,}$/i.test(url) ? url : null
  }
  if (check !== 'card') return text
  const digits = text.replaceAll(' ', '').replaceAll('-', '')
  return /^[0-9]{12,19}$/.test(digits) && luhn(digits) ? digits : null
}

function luhn(digits: string): boolean {
  const weights = Array.from(digits)
    .toReversed()
    .map((digit, index) => Number(digit) * (index % 2 === 1 ? 2 : 1))
  const sum = Array.from(weights.join(''), Number).reduce((total, digit) => total + digit, 0)
  return sum % 10 === 0
}

test('the url check is the stated regex', propertyLimits, () => {
  const parts = fc.constantFrom(
    'http',
    'https',
    'HTTP',
    ':',
    '//',
    '/',
    '.',
    'a',
    'bb',
    ' ',
    '\n',
    '\u00a0',
    '$',
    '?',
    '#',
    '😀',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 9 }), (list) => {
      const text = list.join('')
      const checked = applyCheck('url', text)
      expect(checked.ok ? checked.value : null).toBe(plainCheck('url', text))
    }),
    propertySettings,
  )
})
