import { instant } from '@sealpost/kernel'
import type { DocumentAct, DocumentMetadata, DocumentStatus } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import type { DocumentId } from '../model.ts'
import { decideAct, signatureOf } from './acts.ts'

const now = instant(Date.UTC(2027, 0, 31, 23, 59))
const CONTENT = 'a'.repeat(64)
const PLAIN = 'b'.repeat(64)
const signer = {
  user_id: '00000000-0000-7000-8000-000000000001',
  first_name: 'Mara',
  last_name: 'Lind',
  name_verified: true,
  ip: '192.0.2.1',
  user_agent: 'a browser',
}
const sign: DocumentAct = { act: 'sign', method: 'email', signer, content_sha256: CONTENT, plain_sha256: PLAIN }
const acceptance: DocumentAct = { act: 'accept', signer, content_sha256: CONTENT, plain_sha256: PLAIN }
const declined: DocumentAct = { act: 'decline', note: 'too expensive' }
const cancelled: DocumentAct = { act: 'cancel', note: 'moving away' }
const everyStatus: readonly DocumentStatus[] = [
  'waiting',
  'offering',
  'ready_to_sign',
  'active',
  'active_but_ending',
  'ended',
]

function documentWith(status: DocumentStatus, metadata: Partial<DocumentMetadata> = {}) {
  return {
    status,
    payloadKind: 'file' as const,
    contentSha256: CONTENT,
    plainSha256: PLAIN as string | null,
    metadata: { can_be_cancelled_in_app: true, ...metadata },
  }
}

const byCustomer = (status: DocumentStatus, date: string) => ({
  status,
  cancelEffectiveDate: date,
  cancelSetBy: 'customer',
  customerCancelDate: date,
})
const refused = (refusal: string) => ({ ok: false, refusal })

describe('an act fits some statuses only', () => {
  test.each([
    { act: sign, from: ['ready_to_sign'] },
    { act: acceptance, from: ['offering'] },
    { act: declined, from: ['offering', 'ready_to_sign'] },
    { act: cancelled, from: ['active'] },
  ])('$act.act', ({ act, from }) => {
    const allowed = everyStatus.filter((status) => decideAct(documentWith(status), act, now).ok)
    expect(allowed).toEqual(from)
    expect(decideAct(documentWith('ended'), act, now)).toEqual(refused('status_invalid'))
  })
})

test('a signature or an acceptance makes the document active', () => {
  const changed = { status: 'active', cancelEffectiveDate: null, cancelSetBy: null, customerCancelDate: null }
  const value = { changed, note: null }
  expect(decideAct(documentWith('ready_to_sign'), sign, now)).toEqual({
    ok: true,
    value: { ...value, action: 'signed' },
  })
  expect(decideAct(documentWith('offering'), acceptance, now)).toEqual({
    ok: true,
    value: { ...value, action: 'accepted' },
  })
})

describe('what is signed is what is stored', () => {
  const file = documentWith('ready_to_sign')
  const json = { ...file, payloadKind: 'json' as const, plainSha256: null }

  test('other sealed bytes are refused', () => {
    expect(decideAct(file, { ...sign, content_sha256: PLAIN }, now)).toEqual(refused('content_mismatch'))
    expect(decideAct(json, { ...sign, content_sha256: PLAIN }, now)).toEqual(refused('content_mismatch'))
  })

  test('a file has a digest of its plaintext, which the signer may repeat and not contradict', () => {
    expect(decideAct({ ...file, plainSha256: null }, sign, now)).toEqual(refused('not_signable'))
    expect(decideAct(file, { ...sign, plain_sha256: CONTENT }, now)).toEqual(refused('content_mismatch'))
    expect(decideAct(file, { ...sign, plain_sha256: null }, now)).toMatchObject({ ok: true })
  })

  test('JSON is signed over its sealed text alone', () => {
    expect(decideAct(json, sign, now)).toMatchObject({ ok: true })
  })
})

test('a declined offer ends today, with the note', () => {
  expect(decideAct(documentWith('offering'), declined, now)).toEqual({
    ok: true,
    value: { changed: byCustomer('ended', '2027-01-31'), action: 'cancelled', note: 'too expensive' },
  })
})

describe('a cancellation', () => {
  test.each([
    [undefined, 'ended', '2027-01-31'],
    [0, 'ended', '2027-01-31'],
    [1, 'active_but_ending', '2027-02-01'],
    [30, 'active_but_ending', '2027-03-02'],
  ] as const)('with %s days of notice: %s at %s', (days, status, date) => {
    const metadata = days === undefined ? {} : { cancel_notice_days: days }
    expect(decideAct(documentWith('active', metadata), cancelled, now)).toEqual({
      ok: true,
      value: { changed: byCustomer(status, date), action: 'cancelled', note: 'moving away' },
    })
  })

  test('is refused where the company forbids it', () => {
    const forbidden = documentWith('active', { can_be_cancelled_in_app: false })
    expect(decideAct(forbidden, cancelled, now)).toEqual(refused('not_cancellable'))
  })
})

test('the record of a signature names its signer and what was signed; other acts have none', () => {
  const document = {
    id: '00000000-0000-7000-8000-000000000002' as DocumentId,
    plainSha256: PLAIN,
    contentSha256: CONTENT,
  }
  const record = {
    documentId: document.id,
    contentSha256: CONTENT,
    plainSha256: PLAIN,
    signerId: signer.user_id,
    signerFirstName: 'Mara',
    signerLastName: 'Lind',
    signerNameVerified: true,
    ip: '192.0.2.1',
    userAgent: 'a browser',
    createdAt: now,
  }
  expect(signatureOf(document, sign, now)).toEqual({ ...record, action: 'signed', method: 'email' })
  expect(signatureOf(document, acceptance, now)).toEqual({ ...record, action: 'accepted', method: null })
  expect(signatureOf(document, declined, now)).toBeNull()
  expect(signatureOf(document, cancelled, now)).toBeNull()
})
