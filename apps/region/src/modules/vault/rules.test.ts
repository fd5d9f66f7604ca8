import { buildRegistry, defaultFileCaps, seedRows } from '@sealpost/field-types'
import type { ConnectionId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { INLINE_MAX, judgeSealedFile, judgeValue, judgeWrapper, matchShares, type UserType } from './rules.ts'

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

function judge(type: string, value: unknown, { userType = 'person', isPrivate = true }: Circumstances = {}) {
  return judgeValue({ registry, type, userType, isPrivate, value, caps: defaultFileCaps })
}

test.each([
  ['email', true],
  ['email', false],
  ['address', true],
  ['photo', true],
  ['passport', true],
])('a person seals %s (private: %s), and nothing else passes', (type, isPrivate) => {
  expect(judge(type, WRAPPER, { isPrivate })).toMatchObject({ ok: true, value: { text: WRAPPER } })
  for (const value of ['mara@persons.example', '', 7, null, JSON.parse(WRAPPER)]) {
    expect(judge(type, value, { isPrivate })).toEqual({ ok: false, refusal: { kind: 'not_sealed' } })
  }
})

test('a text too long for a row is refused before it is looked at', () => {
  const long = judgeWrapper('x'.repeat(INLINE_MAX + 1))
  expect(long).toMatchObject({ ok: false, refusal: { kind: 'faults', faults: [{ path: '' }] } })
})

test('a sealed file may be as large as its lane allows', () => {
  const sealed = (length: number): string => WRAPPER.replace('"d":"', `"d":"${'A'.repeat(length)}`)
  const perMb = (1_048_576 * 16) / 9
  expect(judgeSealedFile(sealed(perMb * 5 - ((perMb * 5) % 4)), 'photo', defaultFileCaps)).toMatchObject({ ok: true })
  const refusal = { ok: false, refusal: { kind: 'too_large' } }
  expect(judgeSealedFile(sealed(6 * 2_000_000), 'photo', defaultFileCaps)).toEqual(refusal)
})

test('a company writes text, judged by the registry', () => {
  const company = { userType: 'company', isPrivate: false } as const
  expect(judge('email', 'desk@northwind.example', company)).toMatchObject({ ok: true, value: { form: 'text' } })
  expect(judge('email', 'not an address', company)).toMatchObject({ ok: false, refusal: { kind: 'faults' } })
  expect(judge('email', '', company)).toMatchObject({ ok: false, refusal: { faults: [{ path: '' }] } })
  expect(judge('email', { text: 'x' }, company)).toMatchObject({ ok: false, refusal: { kind: 'faults' } })
})

const clear = { isPrivate: false }

test('a file in the clear is a whole envelope of its type', () => {
  const photo = JSON.stringify({ full: uri('image/jpeg', JPEG) })
  expect(judge('photo', photo, clear)).toMatchObject({ ok: true, value: { form: 'clear_file', text: photo } })
  expect(judge('photo', JSON.stringify({}), clear)).toMatchObject({ refusal: { faults: [{ path: '/full' }] } })
  expect(judge('photo', WRAPPER, clear)).toMatchObject({ ok: false, refusal: { kind: 'faults' } })
  const document = { file: uri('application/pdf', PDF), original_name: 'a.pdf', mime_type: 'application/pdf', size: 18 }
  expect(judge('document', JSON.stringify(document), clear)).toMatchObject({ ok: true })
  const large = JSON.stringify({ full: uri('image/jpeg', Buffer.concat([JPEG, Buffer.alloc(5 * 1_048_576)])) })
  expect(judge('photo', large, clear)).toEqual({ ok: false, refusal: { kind: 'too_large' } })
})

test.each([
  ['bytes of another type', 'photo', { full: uri('image/png', JPEG) }, '/full'],
  ['a page as a photo', 'photo', { full: uri('text/html', Buffer.from('<script>')) }, '/full'],
  ['a drawing that can run scripts', 'photo', { full: uri('image/svg+xml', Buffer.from('<svg/>')) }, '/full'],
  ['a thumbnail that is none', 'photo', { full: uri('image/jpeg', JPEG), thumb: uri('image/webp', JPEG) }, '/thumb'],
  ['a second opinion on the type', 'document', paper('image/jpeg', JPEG, 'text/plain'), '/file'],
  ['no PDF', 'document', paper('application/pdf', JPEG), '/file'],
  ['no PDF in a page', 'passport', { pages: [{ file: uri('application/pdf', JPEG) }], ...entries() }, '/pages/0/file'],
])('refuses %s', (_, type, envelope, path) => {
  expect(judge(type, JSON.stringify(envelope), clear)).toMatchObject({ ok: false, refusal: { faults: [{ path }] } })
})

test('a refusal does not repeat what a file calls itself', () => {
  const judged = judge('document', JSON.stringify(paper(`a/${'x'.repeat(1_000_000)}`, JPEG, 'text/plain')), clear)
  expect(judged.ok).toBe(false)
  expect(JSON.stringify(judged).length).toBeLessThan(500)
})

function paper(mimeType: string, bytes: Uint8Array, stated = mimeType) {
  return { file: uri(mimeType, bytes), original_name: 'x', mime_type: stated, size: bytes.length }
}

function entries() {
  return { document_number: 'X1', expiry_date: '2030-01-01', issuing_country: 'NL' }
}

test('every live slot has exactly one share', () => {
  const slot = (id: string, slug: string) => ({ connectionId: id as ConnectionId, slug })
  const live = [slot('one', 'email'), slot('two', 'email')]
  expect(matchShares(live, [...live].toReversed())).toEqual({ missing: [], strange: [] })
  expect(matchShares(live, [slot('one', 'email')])).toEqual({ missing: [slot('two', 'email')], strange: [] })
  const odd = [slot('one', 'email'), slot('one', 'email'), slot('one', 'phone'), slot('two', 'email')]
  expect(matchShares(live, odd)).toEqual({ missing: [], strange: [1, 2] })
})
