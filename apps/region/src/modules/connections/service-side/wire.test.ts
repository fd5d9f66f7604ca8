import {
  type ConnectionId,
  formatInstant,
  type Instant,
  instant,
  type RequestFieldId,
  type UserId,
} from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { RequestRow } from '../../services/index.ts'
import type { RecordRow } from './model.ts'
import { arrangeRows } from './rules/rows.ts'
import { readSlots } from './store/records.ts'
import { connectionToWire } from './wire.ts'

const now = instant(1_767_225_600_000)
const earlier = instant(now - 1000)
const wrapper = '{"_enc":1,"k":"a","iv":"b","d":"c"}'
const sha256 = 'a'.repeat(64)

function row(number: number, slug: string, audience: RequestRow['audience'] = 'both'): RequestRow {
  const flags = { oneTime: false, mandatoryProvide: false, mandatoryConnected: false, verified: false }
  const id = `019a0000-0000-7000-8000-00000000000${number}` as RequestFieldId
  return { id, slug, label: slug, type: 'text', audience, ...flags, verifiedMaxAgeDays: null, plugin: null }
}

const rows = [row(1, 'mail'), row(2, 'paper'), row(3, 'vat', 'company'), row(4, 'note')]
const known = arrangeRows(rows, 1)

interface Packed {
  readonly number: number
  readonly state?: string
  readonly value?: string
  readonly sha256?: string
  readonly attested?: string
  readonly updatedAt?: Instant
  readonly expiresAt?: Instant
}

/** In the format of the SQL statement. */
function pack({
  number,
  state = 'answered',
  value = '',
  sha256: digest = '',
  attested = '',
  ...times
}: Packed): string {
  const { updatedAt = earlier, expiresAt = 0 } = times
  const members = [
    row(number, '').id,
    state,
    't',
    'f',
    value,
    digest,
    attested,
    updatedAt,
    `${earlier}.000000`,
    expiresAt,
  ]
  return members.join('\u001f')
}

function record(slots: readonly Packed[]): RecordRow {
  return {
    rev: 1,
    id: '019a0000-0000-7000-8000-00000000000a' as ConnectionId,
    customerId: '019a0000-0000-7000-8000-00000000000b' as UserId,
    customerType: 'person',
    shareCode: 'MARA22',
    displayName: 'Mara',
    connectedAt: earlier,
    slots: slots.length === 0 ? null : slots.map(pack).join('\u001e'),
    hasFlowValues: false,
  }
}

test('rows without a decision are pending, except rows that ask companies only', () => {
  const rendered = connectionToWire(record([]), known, now)
  expect(rendered).toMatchObject({
    values: {},
    values_private: {},
    fields: [],
    pending_consent: ['mail', 'paper', 'note'],
  })
})

test('a declined row is neither a value nor pending; a removed row is absent', () => {
  const gone = { number: 9, value: wrapper }
  const rendered = connectionToWire(record([{ number: 1, state: 'declined' }, gone]), known, now)
  expect(rendered).toMatchObject({ values: {}, fields: [], pending_consent: ['paper', 'note'] })
})

test('values and fields come in the order of the rows, with the time of the first answer', () => {
  const rendered = connectionToWire(
    record([
      { number: 4, value: wrapper, updatedAt: now },
      { number: 1, value: wrapper },
    ]),
    known,
    now,
  )
  expect(Object.keys(rendered.values)).toEqual(['mail', 'note'])
  expect(rendered.fields.map(({ slug, provided_at }) => [slug, provided_at])).toEqual([
    ['mail', formatInstant(earlier)],
    ['note', formatInstant(earlier)],
  ])
  expect(rendered.values['note']).toMatchObject({ value: wrapper, updated_at: formatInstant(now), live: true })
  expect(rendered.values_private).toEqual({ mail: false, note: false })
})

test('a file has a URL and a digest; it has expired from its expiry time on', () => {
  const rendered = (expiresAt: Instant) =>
    connectionToWire(record([{ number: 2, sha256, expiresAt }]), known, now).values['paper']
  const url = `/api/company-data/connections/${record([]).id}/slots/${row(2, '').id}/file`
  expect(rendered(instant(now + 1))).toMatchObject({ value_url: url, content_sha256: sha256 })
  expect(rendered(instant(now + 1))).not.toHaveProperty('expired')
  expect(rendered(instant(now + 1))).not.toHaveProperty('value')
  expect(rendered(now)).toMatchObject({ value_url: url, expired: true, expired_at: formatInstant(now) })
})

test('an attestation is rendered until its end and as nulls from then on', () => {
  const attested = {
    verified_hash: sha256,
    verified_salt: 'b'.repeat(32),
    verified_at: formatInstant(earlier),
    verified_expires_at: formatInstant(now),
    verified_method: null,
    verified_provider: null,
    verification_id: null,
  }
  const slots = [{ number: 1, value: wrapper, attested: JSON.stringify(attested) }]
  const shown = (at: Instant) => connectionToWire(record(slots), known, at).values['mail']
  expect(shown(instant(now - 1))).toMatchObject(attested)
  expect(shown(now)).toMatchObject({ value: wrapper, verified_hash: null, verified_expires_at: null })
})

test('an attestation is rendered member by member, its absence as nulls', () => {
  const attested = {
    verified_hash: sha256,
    verified_salt: 'b'.repeat(32),
    verified_at: formatInstant(earlier),
    verified_expires_at: null,
    verified_method: 'email_code',
    verified_provider: 'platform_email',
    verification_id: 'v',
  }
  const slots = [
    { number: 1, value: wrapper, attested: JSON.stringify(attested) },
    { number: 4, value: wrapper },
  ]
  const { values } = connectionToWire(record(slots), known, now)
  expect(values['mail']).toMatchObject(attested)
  expect(values['note']).toMatchObject(Object.fromEntries(Object.keys(attested).map((name) => [name, null])))
})

test('no decisions are read as no slots', () => {
  expect(readSlots(null)).toEqual([])
})
