import { buildRegistry, defaultFileCaps, INLINE_VALUE_MAX, seedRows } from '@sealpost/field-types'
import { expect, test } from 'vitest'
import type { UserType } from '../model.ts'
import { validateSealedFile, validateValue, validateWrapper } from './values.ts'

const registry = buildRegistry(seedRows)
const WRAPPER = JSON.stringify({
  _enc: 1,
  k: Buffer.alloc(256).toString('base64'),
  iv: Buffer.alloc(12).toString('base64'),
  d: Buffer.alloc(32).toString('base64'),
})
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
const PDF = Buffer.from('%PDF-1.7 and so on')

function uri(mimeType: string, bytes: Uint8Array): string {
  return `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`
}

interface Circumstances {
  readonly userType?: UserType
  readonly isPrivate?: boolean
}

function validate(type: string, value: unknown, { userType = 'person', isPrivate = true }: Circumstances = {}) {
  return validateValue({ registry, type, userType, isPrivate, value, caps: defaultFileCaps })
}

test.each([
  ['email', true],
  ['email', false],
  ['address', true],
  ['photo', true],
  ['passport', true],
])('a person must seal %s (private: %s)', (type, isPrivate) => {
  expect(validate(type, WRAPPER, { isPrivate })).toMatchObject({ ok: true, value: { text: WRAPPER } })
  for (const value of ['mara@persons.example', '', 7, null, JSON.parse(WRAPPER)]) {
    expect(validate(type, value, { isPrivate })).toEqual({ ok: false, refusal: { kind: 'not_sealed' } })
  }
})

test('a wrapper that is too long for a row is refused', () => {
  const long = validateWrapper('x'.repeat(INLINE_VALUE_MAX + 1))
  expect(long).toMatchObject({ ok: false, refusal: { kind: 'faults', faults: [{ path: '' }] } })
})

test('a sealed file may have at most the size of its lane', () => {
  const sealed = (length: number): string => WRAPPER.replace('"d":"', `"d":"${'A'.repeat(length)}`)
  const perMb = (1_048_576 * 16) / 9
  expect(validateSealedFile(sealed(perMb * 5 - ((perMb * 5) % 4)), 'photo', defaultFileCaps)).toMatchObject({
    ok: true,
  })
  const refusal = { ok: false, refusal: { kind: 'too_large', maxMb: 5 } }
  expect(validateSealedFile(sealed(6 * 2_000_000), 'photo', defaultFileCaps)).toEqual(refusal)
})

test('a company writes text that the registry validates', () => {
  const company = { userType: 'company', isPrivate: false } as const
  expect(validate('email', 'desk@northwind.example', company)).toMatchObject({ ok: true, value: { form: 'text' } })
  expect(validate('email', 'not an address', company)).toMatchObject({ ok: false, refusal: { kind: 'faults' } })
  expect(validate('email', '', company)).toMatchObject({ ok: false, refusal: { faults: [{ path: '' }] } })
  expect(validate('email', { text: 'x' }, company)).toMatchObject({ ok: false, refusal: { kind: 'faults' } })
})

const clear = { isPrivate: false }

test('a file in the clear must be a complete envelope of its type', () => {
  const photo = JSON.stringify({ full: uri('image/jpeg', JPEG) })
  expect(validate('photo', photo, clear)).toMatchObject({ ok: true, value: { form: 'clear_file', text: photo } })
  expect(validate('photo', JSON.stringify({}), clear)).toMatchObject({ refusal: { faults: [{ path: '/full' }] } })
  expect(validate('photo', WRAPPER, clear)).toMatchObject({ ok: false, refusal: { kind: 'faults' } })
  const document = { file: uri('application/pdf', PDF), original_name: 'a.pdf', mime_type: 'application/pdf', size: 18 }
  expect(validate('document', JSON.stringify(document), clear)).toMatchObject({ ok: true })
  const large = JSON.stringify({ full: uri('image/jpeg', Buffer.concat([JPEG, Buffer.alloc(5 * 1_048_576)])) })
  expect(validate('photo', large, clear)).toEqual({ ok: false, refusal: { kind: 'too_large', maxMb: 5 } })
})

test.each([
  ['bytes of another type', 'photo', { full: uri('image/png', JPEG) }, '/full'],
  ['an HTML page as a photo', 'photo', { full: uri('text/html', Buffer.from('<script>')) }, '/full'],
  ['a drawing that can run scripts', 'photo', { full: uri('image/svg+xml', Buffer.from('<svg/>')) }, '/full'],
  ['a thumbnail of another type', 'photo', { full: uri('image/jpeg', JPEG), thumb: uri('image/webp', JPEG) }, '/thumb'],
  ['a stated type that contradicts the data URI', 'document', paper('image/jpeg', JPEG, 'text/plain'), '/file'],
  ['a PDF without PDF bytes', 'document', paper('application/pdf', JPEG), '/file'],
  [
    'a page without PDF bytes',
    'passport',
    { pages: [{ file: uri('application/pdf', JPEG) }], ...entries() },
    '/pages/0/file',
  ],
])('refuses %s', (_, type, envelope, path) => {
  expect(validate(type, JSON.stringify(envelope), clear)).toMatchObject({ ok: false, refusal: { faults: [{ path }] } })
})

test('a refusal does not repeat the stated type', () => {
  const validated = validate('document', JSON.stringify(paper(`a/${'x'.repeat(1_000_000)}`, JPEG, 'text/plain')), clear)
  expect(validated.ok).toBe(false)
  expect(JSON.stringify(validated).length).toBeLessThan(500)
})

function paper(mimeType: string, bytes: Uint8Array, stated = mimeType) {
  return { file: uri(mimeType, bytes), original_name: 'x', mime_type: stated, size: bytes.length }
}

function entries() {
  return { document_number: 'X1', expiry_date: '2030-01-01', issuing_country: 'NL' }
}
