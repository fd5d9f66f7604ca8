import { describe, expect, test } from 'vitest'
import {
  applyCheck,
  buildRegistry,
  countries,
  fileCapMb,
  isPdf,
  parsePlaceOfBirth,
  readRegistry,
  resolveType,
  sealedTextMax,
  seedRows,
  usStates,
  validateValue,
  validateWrite,
  valueReasons,
} from '../index.ts'

const registry = readRegistry([
  ...seedRows,
  { type: 'colour', parent: 'select', label: 'Colour', options: ['red', 'blue'] },
  { type: 'colours', parent: 'multiselect', label: 'Colours', options: ['red', 'blue'] },
  { type: 'secure_page', parent: 'url', label: 'Secure page', validation: 'https://.*' },
  { type: 'bonus_card', parent: 'text', label: 'Bonus card', check: 'card', validation: '4[0-9]{15}' },
  { type: 'dutch_phone', parent: 'phone', label: 'Dutch phone', validation: String.raw`\+31.*` },
  { type: 'code', parent: 'text', label: 'Code', validation: 'a|bc' },
  {
    type: 'ordered',
    label: 'Ordered',
    input: 'composite',
    lane: 'inline',
    validation: '[^!]*',
    fields: [{ key: 'on', input: 'date', check: 'number', validation: 'x' }],
  },
])

function isValid(type: string, value: string, options?: readonly string[]): boolean {
  return validateValue(registry, type, value, { options }).ok
}

function reasons(type: string, value: string): readonly string[] {
  const verdict = validateValue(registry, type, value)
  return verdict.ok ? [] : verdict.refusal.map(({ reason }) => reason)
}

describe('primitives', () => {
  test('a line is any string [FTYPE-19]', () => {
    expect(resolveType(registry, 'text').input).toBe('line')
    expect(isValid('text', 'any\u0000thing\n{"at": "all"}')).toBe(true)
    expect(validateValue(registry, 'text', 5)).toEqual({ ok: false, refusal: [{ path: [], reason: 'not_text' }] })
  })

  test('a date is YYYY-MM-DD and exists in the calendar [FTYPE-20]', () => {
    expect(isValid('date', '2024-02-29')).toBe(true)
    expect(
      ['2023-02-30', '2023-02-29', '2023-2-3', '2023-13-01', '20230101'].filter((day) => isValid('date', day)),
    ).toEqual([])
  })

  test('every month has its last day, February by the leap years of the calendar', () => {
    const last = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for (const [month, day] of last.entries()) {
      const at = (date: number) => `2023-${String(month + 1).padStart(2, '0')}-${String(date).padStart(2, '0')}`
      expect([isValid('date', at(day)), isValid('date', at(day + 1)), isValid('date', at(0))]).toEqual([
        true,
        false,
        false,
      ])
    }
    expect(
      ['2000-02-29', '1900-02-29', '2024-02-30', '2024-03-32', '0000-01-01', '0001-01-01'].filter((day) =>
        isValid('date', day),
      ),
    ).toEqual(['2000-02-29', '0001-01-01'])
  })

  test('a choice is one of the resolved options [FTYPE-21]', () => {
    expect(isValid('colour', 'red')).toBe(true)
    expect(isValid('colour', 'green', ['green'])).toBe(false)
    expect(isValid('select', 'green', ['green'])).toBe(true)
    expect(reasons('select', 'green')).toEqual(['no_options'])
  })

  test('several choices are a JSON list of resolved options [FTYPE-22]', () => {
    expect(isValid('colours', '["red","blue"]')).toBe(true)
    expect(isValid('colours', '[]')).toBe(true)
    expect(
      ['red', '"red"', '["green"]', '{"a":"red"}', '[["red"]]'].filter((list) => isValid('colours', list)),
    ).toEqual([])
  })

  test('a country or nationality is one of the 249 assigned codes [FTYPE-23]', () => {
    expect(countries.size).toBe(249)
    const assigned = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    for (const code of countries) {
      expect(assigned.of(code)).toBeTypeOf('string')
      expect([isValid('country', code), isValid('nationality', code)]).toEqual([true, true])
    }
    expect(['XK', 'nl', 'NLD', 'Netherlands', 'EU', 'ZZ'].filter((code) => isValid('country', code))).toEqual([])
  })

  test('a state is one of 56 USPS codes, whatever country is given beside it [FTYPE-24]', () => {
    expect(usStates.size).toBe(56)
    for (const state of usStates) expect(isValid('address', JSON.stringify({ state, country: 'NL' }))).toBe(true)
    expect(['ca', 'California', 'ON', 'FM'].filter((state) => isValid('address', JSON.stringify({ state })))).toEqual(
      [],
    )
  })

  test('a phone number has 4 to 15 digits and an optional + after removing separators [FTYPE-25]', () => {
    const numbers = ['1234', '+123456789012345', '(020) 123.45-67', '+1 2 3 4']
    expect(numbers.filter((number) => !isValid('phone', number))).toEqual([])
    expect(['123', '1234567890123456', '12+34', '1234x', '+'].filter((number) => isValid('phone', number))).toEqual([])
  })

  test('a composite is an object of the resolved entries and nothing else [FTYPE-26]', () => {
    expect(isValid('address', '{"city":"Utrecht"}')).toBe(true)
    expect(reasons('address', '{"town":"Utrecht"}')).toEqual(['unknown_member'])
    expect(reasons('address', '["Utrecht"]')).toEqual(['not_an_object'])
  })

  test('required entries are present, and filled ones hold by primitive, check and regex [FTYPE-27]', () => {
    expect(reasons('passport', '{"pages":[]}')).toEqual(['missing'])
    expect(reasons('passport', '{"pages":[],"issuing_country":""}')).toEqual(['missing'])
    expect(isValid('creditcard', '{"number":"","cvc":""}')).toBe(true)
    expect(reasons('address', '{"country":"Holland"}')).toEqual(['not_a_country'])
    expect(reasons('creditcard', '{"number":"4111111111111112"}')).toEqual(['not_a_card'])
    expect(reasons('creditcard', '{"cvc":"12"}')).toEqual(['pattern_mismatch'])
  })

  test('pages are an envelope of at most ten pages on the document lane [FTYPE-29]', () => {
    const envelope = (count: number) =>
      JSON.stringify({ pages: Array.from({ length: count }, () => ({ file: 'a.jpg' })), issuing_country: 'NL' })
    expect(resolveType(registry, 'drivers_license')).toMatchObject({ input: 'pages', lane: 'document' })
    expect(isValid('drivers_license', envelope(10))).toBe(true)
    expect(reasons('drivers_license', envelope(11))).toEqual(['too_many_pages'])
  })

  test('personal_number and place_of_birth are lines; the verified place is "<city>, <country>" [FTYPE-30]', () => {
    for (const type of ['personal_number', 'place_of_birth']) {
      expect(resolveType(registry, type)).toMatchObject({ input: 'line', check: null, validations: [] })
      expect(isValid(type, 'in any words')).toBe(true)
    }
    expect(parsePlaceOfBirth('Utrecht, NL')).toEqual({ city: 'Utrecht', country: 'NL' })
    expect(parsePlaceOfBirth('Utrecht, Nederland')).toBeNull()
  })
})

describe('checks', () => {
  const holds = (check: string, text: string) => applyCheck(check, text).ok

  test('a url gets https:// only without a scheme, and no other scheme is accepted [FTYPE-31]', () => {
    expect(applyCheck('url', 'example.com')).toMatchObject({ value: 'https://example.com' })
    expect(applyCheck('url', 'http://example.com')).toMatchObject({ value: 'http://example.com' })
    const refused = ['ftp://example.com', 'javascript:alert.xx', 'example.com:8080', 'nodot', 'https://a.b', 'a b.cc']
    expect(refused.filter((text) => isValid('url', text))).toEqual([])
  })

  test('a card has 12 to 19 digits that pass Luhn, without blanks and dashes [FTYPE-32]', () => {
    expect(applyCheck('card', '4111-1111 1111 1111')).toMatchObject({ value: '4111111111111111' })
    expect(
      ['4111111111111112', '41111111112', '00000000000000000000', '4111.1111.1111.1111'].filter((text) =>
        holds('card', text),
      ),
    ).toEqual([])
  })

  test('a number is finite, in decimal notation, after trimming [FTYPE-33]', () => {
    expect([' 1.5 ', '+.5e1', '5.', '-0'].filter((text) => !isValid('number', text))).toEqual([])
    expect(['1e999', '0x1f', 'NaN', 'Infinity', '1,5', '   ', '١'].filter((text) => isValid('number', text))).toEqual(
      [],
    )
  })

  test('an integer is -?[0-9]+ after trimming [FTYPE-34]', () => {
    expect(['7', ' -7 ', '0007'].filter((text) => !isValid('integer', text))).toEqual([])
    expect(['+7', '7.0', '7e1', '-', '- 7'].filter((text) => isValid('integer', text))).toEqual([])
  })

  test('a decimal has at most 8 digits, a literal point and at most 2 more [FTYPE-35]', () => {
    expect(['12345678.90', '-1.5', ' 3 '].filter((text) => !isValid('decimal', text))).toEqual([])
    expect(['123456789', '1.234', '1x23', '1.', '.5'].filter((text) => isValid('decimal', text))).toEqual([])
  })

  test('a float has a literal point and an optional exponent [FTYPE-36]', () => {
    expect(['1', '-1.5e-10', ' 2E+3 '].filter((text) => !isValid('float', text))).toEqual([])
    expect(['1x5', '.5', '5.', '+5', '1e'].filter((text) => isValid('float', text))).toEqual([])
  })

  test('a pdf_document is written only with the MIME type and the header of a PDF [FTYPE-37]', () => {
    const written = (mime_type: string, content: string) => {
      const file = `data:${mime_type};base64,${Buffer.from(content).toString('base64')}`
      const value = JSON.stringify({ file, original_name: 'a.pdf', mime_type, size: content.length })
      return validateWrite(registry, 'pdf_document', value).ok
    }
    expect(resolveType(registry, 'pdf_document').check).toBe('pdf')
    expect(written('application/pdf', '%PDF-1.7')).toBe(true)
    expect(written('application/pdf', 'PK\u0003\u0004')).toBe(false)
    expect(written('image/png', '%PDF-1.7')).toBe(false)
    expect(isPdf('application/pdf', Buffer.from('%PDF-2.0'))).toBe(true)
    expect(isPdf('application/pdf', Buffer.from('%PDF'))).toBe(false)
  })
})

describe('order and emptiness', () => {
  test('a regex has no anchors and applies to the whole value [FTYPE-07]', () => {
    expect(['a', 'bc'].filter((text) => !isValid('code', text))).toEqual([])
    expect(['ab', 'abc', 'xa', 'a\n'].filter((text) => isValid('code', text))).toEqual([])
  })

  test('primitive, then check, then regexes, then entries [FTYPE-38]', () => {
    expect(reasons('dutch_phone', 'abc')).toEqual(['not_a_phone'])
    expect(reasons('secure_page', 'ftp://example.com')).toEqual(['url_scheme_refused'])
    expect(reasons('secure_page', 'http://example.com')).toEqual(['pattern_mismatch'])
    expect(reasons('ordered', '{"on":"!","by":""}')).toEqual(['unknown_member', 'pattern_mismatch', 'not_a_date'])
    expect(reasons('ordered', '{"on":"2024-01-01"}')).toEqual(['not_a_number'])
  })

  test('regexes see the text as the check normalises it, never as a primitive reads it [FTYPE-39]', () => {
    expect(isValid('secure_page', 'example.com')).toBe(true)
    expect(isValid('bonus_card', '4111 1111 1111 1111')).toBe(true)
    expect(isValid('dutch_phone', '(+31) 612345678')).toBe(false)
  })

  test('an empty value of any type is valid, also at write [FTYPE-40]', () => {
    for (const { type } of seedRows) {
      expect([validateValue(registry, type, '').ok, validateWrite(registry, type, '').ok]).toEqual([true, true])
    }
  })

  test('a type that the registry lacks accepts anything [FTYPE-41]', () => {
    for (const value of ['x', '{', 5, null, { pages: 1 }])
      expect(validateValue(registry, 'hologram', value).ok).toBe(true)
    expect(validateValue(buildRegistry([]), 'date', 'soon').ok).toBe(true)
  })
})

describe('bounds', () => {
  test('a file is as large as its lane allows, and an element can only lower that', () => {
    expect([fileCapMb('document'), fileCapMb('photo')]).toEqual([25, 5])
    expect([fileCapMb('photo', undefined, 2), fileCapMb('photo', undefined, 20)]).toEqual([2, 5])
    expect([fileCapMb('photo', undefined, Number.NaN), fileCapMb('photo', undefined, -1)]).toEqual([5, 5])
    expect(sealedTextMax(25)).toBe(46_668_913)
  })

  test('a photo of exactly 5 MB is written, one byte more is not', () => {
    const photo = (bytes: number) => {
      const full = `data:image/jpeg;base64,${Buffer.alloc(bytes).toString('base64')}`
      return validateWrite(registry, 'photo', JSON.stringify({ full }))
    }
    expect(photo(5 * 1_048_576).ok).toBe(true)
    expect(photo(5 * 1_048_576 + 1)).toEqual({ ok: false, refusal: [{ path: [], reason: 'file_too_large' }] })
  })

  test('at most a hundred problems are reported', () => {
    const members = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, '']))
    expect(reasons('address', JSON.stringify(members))).toHaveLength(100)
  })

  test('JSON that is nested 200,000 deep is refused like any other text', () => {
    for (const type of ['address', 'colours', 'photo', 'passport']) {
      expect(isValid(type, '['.repeat(200_000))).toBe(false)
      expect(isValid(type, '{"a":'.repeat(200_000))).toBe(false)
    }
  })

  test('every reason is a full sentence', () => {
    for (const sentence of Object.values(valueReasons)) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })
})
