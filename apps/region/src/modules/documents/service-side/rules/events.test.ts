import { type ConnectionId, instant, type ServiceId, type UserId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { CustomerDocument, DocumentId, Signature } from '../model.ts'
import { documentEvent, statusEvent } from './events.ts'

const at = instant(Date.UTC(2026, 4, 1, 12))
const document = {
  id: 'd1' as DocumentId,
  serviceId: 's1' as ServiceId,
  companyId: 'c1' as UserId,
  customer: { connectionId: 'k1' as ConnectionId, customerId: 'p1' as UserId, customerRegion: 'eu', shareCode: 'CODE' },
  name: 'Lease',
  kind: 'subscription',
  payloadKind: 'file',
  status: 'active',
  cancelEffectiveDate: '2026-06-01',
  plainSha256: 'bb',
  sealedAt: at,
} as CustomerDocument
const signature = {
  action: 'signed',
  method: 'twofa',
  contentSha256: 'aa',
  signerFirstName: 'Mara',
  signerLastName: 'Lind',
  signerNameVerified: true,
  createdAt: at,
} as Signature
const about = { owner: { kind: 'service', companyId: 'c1', serviceId: 's1' }, connectionId: 'k1' }
const who = { person_user_id: 'p1', share_code: 'CODE' }

test('an event names the document, its customer and its service, and never collapses', () => {
  for (const kind of ['document_created', 'document_updated', 'document_deleted'] as const)
    expect(documentEvent(kind, document)).toEqual({
      ...about,
      kind,
      payload: { ...who, document_id: 'd1', name: 'Lease', kind: 'subscription', payload_kind: 'file' },
      key: null,
    })
})

const nothing = {
  method: null,
  content_sha256: null,
  signed_at: null,
  cancel_effective_date: null,
  sealed_at: null,
  plain_sha256: null,
  signer_first_name: null,
  signer_last_name: null,
  signer_name_verified: null,
}
const signer = { signer_first_name: 'Mara', signer_last_name: 'Lind', signer_name_verified: true }
const seal = { sealed_at: '2026-05-01T12:00:00.000+00:00', plain_sha256: 'bb' }

test.each([
  [
    'a signature',
    'signed',
    signature,
    { ...nothing, method: 'twofa', content_sha256: 'aa', signed_at: seal.sealed_at, ...seal, ...signer },
  ],
  ['an acceptance', 'accepted', { ...signature, action: 'accepted', method: null }, { ...nothing, ...seal, ...signer }],
  ['a cancellation', 'cancelled', null, { ...nothing, cancel_effective_date: '2026-06-01' }],
  ['a change of the company', null, null, nothing],
] as const)(
  'the status after %s [EVENT-12] [EVENT-13] [EVENT-14] [EVENT-15] [EVENT-16] [EVENT-17]',
  (_, action, act, members) => {
    expect(statusEvent(document, { action, signature: act, note: 'why' })).toEqual({
      ...about,
      kind: 'document_status_changed',
      payload: { ...who, document_id: 'd1', status: 'active', action, note: 'why', ...members },
      key: expect.stringContaining('d1'),
    })
  },
)

test.each(['biometric', 'twofa', 'email', 'custodian'] as const)(
  'a signature by %s names its method [EVENT-12]',
  (method) => {
    const { payload } = statusEvent(document, { action: 'signed', signature: { ...signature, method }, note: null })
    expect(payload).toMatchObject({ action: 'signed', method })
  },
)

test('a document without a seal has no time of it', () => {
  const { payload } = statusEvent({ ...document, sealedAt: null }, { action: 'signed', signature, note: null })
  expect(payload).toMatchObject({ sealed_at: null, plain_sha256: 'bb' })
})

test('changes of the status of one document collapse, those of two do not', () => {
  const key = (id: string) =>
    statusEvent({ ...document, id: id as DocumentId }, { action: null, signature: null, note: null }).key
  expect([key('d1') === key('d1'), key('d1') === key('d2')]).toEqual([true, false])
})
