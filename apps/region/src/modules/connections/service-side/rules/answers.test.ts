import { formatInstant, instant, type RequestFieldId } from '@sealpost/kernel'
import type { SlotAnswer } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import type { RequestRow } from '../../../services/index.ts'
import { validateAnswers } from './answers.ts'

const DAY_MS = 86_400_000
const now = instant(1_767_225_600_000)
const sealed = JSON.stringify({
  _enc: 1,
  k: Buffer.alloc(256).toString('base64'),
  iv: Buffer.alloc(12).toString('base64'),
  d: Buffer.alloc(16).toString('base64'),
})
const mail = row('1', { slug: 'mail' })
const paper = row('2', { slug: 'paper', type: 'document' })
const once = row('3', { slug: 'once', oneTime: true })
const must = row('4', { slug: 'must', mandatoryProvide: true })
const proven = row('5', { slug: 'proven', verified: true, verifiedMaxAgeDays: 30 })

function row(number: string, given: Partial<RequestRow>): RequestRow {
  return {
    id: `019a0000-0000-7000-8000-00000000000${number}` as RequestFieldId,
    slug: '',
    label: '',
    type: 'text',
    oneTime: false,
    mandatoryProvide: false,
    mandatoryConnected: false,
    audience: 'both',
    verified: false,
    verifiedMaxAgeDays: null,
    plugin: null,
    ...given,
  }
}

function answer(to: RequestRow, given: Partial<SlotAnswer> = {}): SlotAnswer {
  const at = formatInstant(now)
  return {
    request_field_id: to.id,
    rev: 1,
    live: true,
    is_private: true,
    value: sealed,
    file: null,
    attested: null,
    at,
    ...given,
  }
}

function attested(ageDays: number, expiresInDays: number | null = null): SlotAnswer['attested'] {
  return {
    verified_hash: 'a'.repeat(64),
    verified_salt: 'b'.repeat(32),
    verified_at: formatInstant(instant(now - ageDays * DAY_MS)),
    verified_expires_at: expiresInDays === null ? null : formatInstant(instant(now + expiresInDays * DAY_MS)),
    verified_method: null,
    verified_provider: null,
    verification_id: null,
  }
}

const file = { form: 'sealed', content_type: 'application/json', sha256: 'a'.repeat(64), bytes: 1 } as const

function validate(answers: readonly SlotAnswer[], rows: readonly RequestRow[] = [mail, paper, once, proven]) {
  return validateAnswers(answers, { rows, isBinary: ({ type }) => type === 'document', now })
}

function problemsOf(answers: readonly SlotAnswer[], rows?: readonly RequestRow[]): readonly string[] {
  const validated = validate(answers, rows)
  if (validated.ok || validated.refusal.outcome !== 'invalid') return []
  return validated.refusal.details.map(({ path }) => path)
}

test('accepts sealed values, files and snapshots that fit their rows', () => {
  const answers = [answer(mail), answer(paper, { value: null, file }), answer(once, { live: false })]
  expect(validate(answers)).toEqual({ ok: true, value: null })
})

test('an unanswered mandatory row is reported by its slug', () => {
  expect(validate([], [must, mail])).toEqual({ ok: false, refusal: { outcome: 'mandatory_missing', slugs: ['must'] } })
  expect(validate([answer(must)], [must, mail]).ok).toBe(true)
})

describe('refuses', () => {
  test('an answer to an unknown row, and a second answer to one row', () => {
    expect(problemsOf([answer(row('9', {}))])).toEqual(['/answers/0/request_field_id'])
    expect(problemsOf([answer(mail), answer(mail)])).toEqual(['/answers/1/request_field_id'])
  })

  test('a live answer to a one-time row, and a snapshot of a live row', () => {
    expect(problemsOf([answer(once)])).toEqual(['/answers/0/live'])
    expect(problemsOf([answer(mail, { live: false })])).toEqual(['/answers/0/live'])
  })

  test('an unsealed value, no value, or a file for a text row', () => {
    for (const given of [{ value: 'mara@home.example' }, { value: null }, { file }]) {
      expect(problemsOf([answer(mail, given)])).toEqual(['/answers/0/value'])
    }
  })

  test('text for a file row, and an unsealed private file', () => {
    expect(problemsOf([answer(paper)])).toEqual(['/answers/0/file'])
    const clear = { ...file, form: 'raw' } as const
    expect(problemsOf([answer(paper, { value: null, file: clear })])).toEqual(['/answers/0/file'])
    expect(validate([answer(paper, { value: null, file: clear, is_private: false })]).ok).toBe(true)
  })

  test('an answer to a verified row whose attestation is missing, expired or too old', () => {
    for (const given of [null, attested(31), attested(1, -1)]) {
      expect(problemsOf([answer(proven, { attested: given })])).toEqual(['/answers/0/attested'])
    }
    expect(validate([answer(proven, { attested: attested(29, 1) })]).ok).toBe(true)
  })
})
