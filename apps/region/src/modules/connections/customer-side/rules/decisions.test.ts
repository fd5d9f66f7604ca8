import { type Attestation, buildRegistry, INLINE_VALUE_MAX, seedRows } from '@sealpost/field-types'
import { type FieldId, formatInstant, instant, type RequestFieldId, type UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type { AskedRow, Decision } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import type { Answered } from '../model.ts'
import { askedRow } from '../testing/asked-row.ts'
import { type DecisionContext, validateDecisions, type Source } from './decisions.ts'

const DAY_MS = 86_400_000
const NOW = instant(100 * DAY_MS)
const wrapper = sealedOf(16)

const name = askedRow('name')
const mail = askedRow('mail', { type: 'email', verified: true, verified_max_age_days: 30 })
const once = askedRow('once', { one_time: true })
const scan = askedRow('scan', { type: 'legal_document', lane: 'document' })
const face = askedRow('face', { type: 'photo', lane: 'photo' })

describe('a decision is valid:', () => {
  test.each([
    ['linked', link(name, 'text'), 'wrapper', true],
    ['typed', decide(name, { value: wrapper }), 'wrapper', true],
    ['shared once', decide(once, { kind: 'one_time', value: wrapper }), 'wrapper', false],
    ['as an object', decide(name, { value: JSON.parse(wrapper) }), 'wrapper', true],
    ['of a verified value', link(mail, 'verified'), 'wrapper', true],
    [
      'of a sealed file',
      decide(scan, { kind: 'linked', file: { value: wrapper }, source_field_id: 'sealed' }),
      'sealed_file',
      true,
    ],
    ['of a clear file in the vault', decide(scan, { kind: 'linked', source_field_id: 'clear' }), 'vault', true],
    [
      'of a clear file in the vault, ignoring the file in the call',
      decide(scan, { kind: 'linked', file: { file: 'x' }, source_field_id: 'clear' }),
      'vault',
      true,
    ],
    ['of a typed file', decide(face, { file: { file: 'data:image/png;base64,AA==' } }), 'call', true],
  ])('%s', (_, decision, from, live) => {
    const validated = validateDecisions([decision], context())
    expect(validated).toMatchObject({ ok: true, value: [{ content: { from }, live }] })
  })

  test('to withdraw an answer, which plans nothing and keeps the places of the others', () => {
    const withdrawal = decide(once, { kind: 'none' })
    expect(validateDecisions([withdrawal, link(name, 'text')], context())).toMatchObject({
      ok: true,
      value: [{ place: '/body/decisions/1', row: name }],
    })
    const gone: Answered = {
      state: 'answered',
      requestFieldId: 'no longer asked' as RequestFieldId,
      kind: 'typed',
      live: true,
      sourceFieldId: null,
      rev: 1,
      providedAt: NOW,
      decisionSha256: null,
    }
    const former = { request_field_id: gone.requestFieldId, kind: 'none' } as const
    expect(validateDecisions([former], context()).ok).toBe(false)
    const answers = new Map([[gone.requestFieldId, gone]])
    expect(validateDecisions([former], context({ answered: answers }))).toEqual({ ok: true, value: [] })
    for (const more of [{ value: wrapper }, { file: { value: wrapper } }, { source_field_id: 'text' }]) {
      expect(validateDecisions([{ ...withdrawal, ...more }], context()).ok).toBe(false)
    }
    expect(validateDecisions([withdrawal, withdrawal], context()).ok).toBe(false)
  })

  test('keeps the slot if it repeats kind and source without a value', () => {
    const decision = decide(name, { kind: 'linked', source_field_id: 'text' })
    const earlier: Answered = {
      state: 'answered',
      requestFieldId: name.id as RequestFieldId,
      kind: 'linked',
      live: true,
      sourceFieldId: 'text' as FieldId,
      rev: 1,
      providedAt: NOW,
      decisionSha256: null,
    }
    const kept = (mapping: Answered) =>
      validateDecisions([decision], context({ answered: new Map([[name.id, mapping]]) }))
    expect(kept(earlier)).toMatchObject({ ok: true, value: [{ content: { from: 'kept' } }] })
    expect(kept({ ...earlier, sourceFieldId: 'other' as FieldId }).ok).toBe(false)
    expect(kept({ ...earlier, kind: 'typed' }).ok).toBe(false)
  })
})

describe('a decision is refused:', () => {
  test.each([
    ['a row that the service does not ask for', decide(askedRow('unknown'), { value: wrapper }), 'request_field_id'],
    ['a live answer to a row shared once', decide(once, { value: wrapper }), 'kind'],
    ['a snapshot of a live row', decide(name, { kind: 'one_time', value: wrapper }), 'kind'],
    ['linked without a field', decide(name, { kind: 'linked', value: wrapper }), 'source_field_id'],
    ['typed with a field', decide(name, { value: wrapper, source_field_id: 'text' }), 'source_field_id'],
    ['a field without a value', link(name, 'empty'), 'source_field_id'],
    ['a field of another type', link(mail, 'text'), 'source_field_id'],
    ['a field of companies', link(name, 'company'), 'source_field_id'],
    ['an unverified field', link(mail, 'unverified'), 'source_field_id'],
    ['one verified too long ago', link(mail, 'old'), 'source_field_id'],
    ['a verified row without a field', decide(mail, { value: wrapper }), 'source_field_id'],
    ['no value', decide(name, {}), 'value'],
    ['a long value', decide(name, { value: sealedOf(INLINE_VALUE_MAX) }), 'value'],
    ['a file for a text', decide(name, { file: { value: wrapper } }), 'file'],
    ['a text for a file', decide(scan, { value: wrapper }), 'value'],
    ['no file', decide(face, {}), 'file'],
  ])('%s', (_, decision, member) => {
    const validated = validateDecisions([decision], context())
    expect(validated).toMatchObject({
      ok: false,
      refusal: { kind: 'invalid', details: [{ path: `/body/decisions/0/${member}` }] },
    })
  })

  test('the second one for the same row', () => {
    const decision = decide(name, { value: wrapper })
    expect(validateDecisions([decision, decision], context())).toMatchObject({
      refusal: { details: [{ path: '/body/decisions/1' }] },
    })
  })

  test.each([
    ['text', decide(name, { value: 'plain' })],
    ['an object that is not a wrapper', decide(name, { value: { _enc: 1 } })],
    [
      'a clear file of a private field',
      decide(scan, { kind: 'linked', file: { file: 'x' }, source_field_id: 'sealed' }),
    ],
    [
      'a file whose value is not a wrapper',
      decide(scan, { kind: 'linked', file: { value: 'x' }, source_field_id: 'sealed' }),
    ],
  ])('unsealed: %s, before any other problem', (_, decision) => {
    const validated = validateDecisions([decide(once, { value: wrapper }), decision], context())
    expect(validated).toEqual({ ok: false, refusal: { kind: 'encryption_required' } })
  })

  test('a field that changed since it was read', () => {
    const decision = link(name, 'text')
    const validateAt = (at: number) =>
      validateDecisions([{ ...decision, source_updated_at: formatInstant(instant(at)) }], context())
    expect(validateAt(NOW - 1)).toEqual({ ok: false, refusal: { kind: 'source_changed' } })
    expect(validateAt(NOW).ok).toBe(true)
  })

  test('a sealed file above its cap', () => {
    const decision = decide(face, { file: { value: sealedOf(3_000_000) } })
    const caps = { documentMaxMb: 1, photoMaxMb: 1 }
    expect(validateDecisions([decision], context({ caps }))).toEqual({
      ok: false,
      refusal: { kind: 'too_large', maxMb: 1 },
    })
  })
})

test("a file cannot answer a text row, even if its type descends from the row's type", () => {
  const rows = [{ type: 'scan', parent: 'text', label: 'Scan', input: 'file', lane: 'document' }].map((one) => ({
    ...one,
    check: null,
    options: null,
    fields: null,
    validation: null,
    is_system: false,
    lane: 'document' as const,
  }))
  const registry = buildRegistry([...seedRows, ...rows])
  const sources = new Map([['scan', source('scan', 'scan', { form: 'sealed' })]])
  const decision = link(name, 'scan')
  expect(validateDecisions([decision], context({ registry, sources }))).toMatchObject({
    ok: false,
    refusal: { kind: 'invalid', details: [{ path: '/body/decisions/0/source_field_id' }] },
  })
})

function context(more: Partial<DecisionContext> = {}): DecisionContext {
  return {
    rows: [name, mail, once, scan, face],
    userType: 'person',
    registry: buildRegistry(seedRows),
    sources: new Map([
      ['text', source('text', 'text')],
      ['company', source('company', 'text', { usertype: 'company' })],
      ['verified', source('verified', 'email', { verifiedAt: NOW - 1 })],
      ['unverified', source('unverified', 'email')],
      ['old', source('old', 'email', { verifiedAt: NOW - 31 * DAY_MS })],
      ['sealed', source('sealed', 'passport', { form: 'sealed' })],
      ['clear', source('clear', 'passport', { form: 'clear' })],
    ]),
    answered: new Map(),
    caps: { documentMaxMb: 25, photoMaxMb: 5 },
    now: NOW,
    ...more,
  }
}

interface SourceOptions {
  readonly usertype?: 'person' | 'company' | 'any'
  readonly verifiedAt?: number
  readonly form?: 'sealed' | 'clear'
}

function source(id: string, type: string, { usertype = 'any', verifiedAt, form }: SourceOptions = {}): Source {
  const attestation: Attestation | null =
    verifiedAt === undefined
      ? null
      : { hash: 'a'.repeat(64), salt: 'b'.repeat(32), verifiedAt: instant(verifiedAt), expiresAt: null, source: null }
  const accountId = 'account' as UserId
  const fieldId = id as FieldId
  const object = { kind: 'object', objectKey: '' as ObjectKey, sha256: '' as Sha256, bytes: 1 } as const
  return {
    field: { id: fieldId, slug: id, label: id, type, usertype, isSystem: true, owner: null },
    value: {
      accountId,
      fieldId,
      type,
      slug: id,
      label: id,
      isPrivate: form !== 'clear',
      rev: 1,
      updatedAt: NOW,
      content: form === undefined ? { kind: 'sealed', wrapper } : { ...object, form },
      attestation,
    },
    attestation,
  }
}

function decide({ id }: AskedRow, more: Partial<Decision>): Decision {
  return { request_field_id: id, kind: 'typed', ...more }
}

/** Shares the sealed value of a field. */
function link(row: AskedRow, field: string): Decision {
  return decide(row, { kind: 'linked', value: wrapper, source_field_id: field })
}

function sealedOf(bytes: number): string {
  const base64 = (length: number) => Buffer.alloc(length).toString('base64')
  return JSON.stringify({ _enc: 1, k: base64(256), iv: base64(12), d: base64(bytes) })
}
