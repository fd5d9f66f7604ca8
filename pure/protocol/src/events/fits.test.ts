import { expect, test } from 'vitest'
import { isQueuedEvent } from './fits.ts'

const id = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const at = '2026-05-01T09:30:00.000+00:00'
const common = { id, at, person_user_id: id, share_code: null, connection_id: null, service_id: id }

test('an event fits when it matches the schema of its own kind', () => {
  expect(isQueuedEvent({ ...common, event: 'connection_created', customer_type: 'person' })).toBe(true)
  expect(isQueuedEvent({ ...common, event: 'field_deleted', slug: 'iban' })).toBe(true)
})

test.each([
  ['a member is missing', { ...common, event: 'connection_created' }],
  ['a member has another type', { ...common, event: 'field_deleted', slug: 7 }],
  ['an id is malformed', { ...common, event: 'field_deleted', slug: 'iban', person_user_id: 'mara' }],
  ['it belongs to another feed', { ...common, event: 'share_changed' }],
  ['its kind is never queued', { ...common, event: 'test' }],
  ['its kind is the name of a member of Object.prototype', { ...common, event: 'toString' }],
  ['it has no kind', common],
  ['it is undefined', null],
])('it does not fit when %s', (_why, value) => {
  expect(isQueuedEvent(value)).toBe(false)
})
