import { expect, test } from 'vitest'
import { readInputs } from '../../rules/named-inputs.ts'
import { isSameSet, readEnvelope, readValues } from './hand-over.ts'

test('values are a JSON map', () => {
  expect(readValues('{"a":"1","b":2}')).toEqual(
    new Map<string, unknown>([
      ['a', '1'],
      ['b', 2],
    ]),
  )
  for (const text of ['', 'x', '[]', '"a"', 'null', '1']) expect(readValues(text)).toBeNull()
})

test('an envelope has a PDF as a data URI', () => {
  const pdf = Buffer.from('%PDF-1.7 and more')
  const uri = (mime: string, base64: string) => JSON.stringify({ file: `data:${mime};base64,${base64}` })
  const base64 = pdf.toString('base64')
  expect(readEnvelope(uri('application/pdf', base64))).toEqual(pdf)
  for (const text of [
    uri('text/plain', base64),
    uri('application/pdf', Buffer.from('GIF89a').toString('base64')),
    uri('application/pdf', `${base64}!`),
    '{"file":7}',
    '{}',
    'x',
  ])
    expect(readEnvelope(text)).toBeNull()
})

test('inputs name each source once', () => {
  const one = { source_key: 'field:a', input: 'gi_1' }
  expect(readInputs(undefined)).toEqual([])
  expect(readInputs([one])).toEqual([{ sourceKey: 'field:a', input: 'gi_1' }])
  for (const given of [{}, 'x', [1], [null], [{ source_key: 'a' }], [{ ...one, input: 1 }], [one, one]])
    expect(readInputs(given)).toBeNull()
})

test('sets are the same whatever their order', () => {
  expect(isSameSet(['a', 'b'], ['b', 'a'])).toBe(true)
  expect(isSameSet(['a'], ['a', 'b'])).toBe(false)
  expect(isSameSet(['a', 'b'], ['a'])).toBe(false)
  expect(isSameSet(['a'], ['b'])).toBe(false)
  expect(isSameSet([], [])).toBe(true)
})
