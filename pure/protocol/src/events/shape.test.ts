import { expect, test } from 'vitest'
import { explainMisfit, shapeCustomerEvent, shapeQueuedEvent } from './shape.ts'

const id = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const at = '2026-05-01T09:30:00.000+00:00'
const columns = { id, at, connection_id: id, service_id: id }
const who = { person_user_id: id, share_code: null }

test('an event holds its columns and the members its kind declares, and no other stored member', () => {
  const stored = { ...who, slug: 'iban', request_field_id: id }
  expect(shapeQueuedEvent({ ...columns, event: 'field_deleted' }, stored, null)).toEqual({
    ...columns,
    ...who,
    event: 'field_deleted',
    slug: 'iban',
  })
})

test('a member rendered at delivery replaces the stored one, also when it is null', () => {
  const stored = { ...who, share_code: 'MARAXX', slug: 'iban', live: true }
  const event = shapeQueuedEvent({ ...columns, event: 'field_updated' }, stored, { slug: 'city', share_code: null })
  expect(event).toMatchObject({ slug: 'city', share_code: null, live: true })
})

test('a customer’s event has no service of its own', () => {
  const stored = { company_share_code: 'ABCDEF', service_share_code: 'S', extra: 1 }
  const event = { id, at, connection_id: id, event: 'share_changed' }
  expect(shapeCustomerEvent(event, stored, null)).toEqual({
    ...event,
    company_share_code: 'ABCDEF',
    service_share_code: 'S',
  })
})

test.each([
  ['a member is missing', 'connection_created', who],
  ['a member has another type', 'field_deleted', { ...who, slug: 7 }],
  ['an id is malformed', 'field_deleted', { ...who, slug: 'iban', person_user_id: 'mara' }],
  ['it belongs to another feed', 'share_changed', who],
  ['its kind is never queued', 'test', who],
  ['its kind is the name of a member of Object.prototype', 'toString', who],
])('no event is shaped when %s', (_why, event, stored) => {
  expect(shapeQueuedEvent({ ...columns, event }, stored, null)).toBeNull()
})

test('a kind that requires a connection is refused without one', () => {
  const stored = { ...who, message_id: id, person_public_key: 'A', created_at: at, body: '{"_enc":1}' }
  const told = { ...columns, event: 'message_received' }
  expect(shapeQueuedEvent({ ...told, connection_id: null }, stored, null)).toBeNull()
})

test('a misfit is explained by the names of its members, never by their values', () => {
  const explain = (event: string, stored: object) =>
    explainMisfit('service', { ...columns, event }, { ...stored }, null)
  expect(explain('connection_created', who)).toMatch(/^must have required properties /)
  expect(explain('field_deleted', { ...who, slug: 7 })).toBe('/slug must be string')
  expect(explain('field_deleted', { ...who, slug: 'iban', person_user_id: 'mara' })).not.toContain('mara')
  expect(explain('share_changed', who)).toBe('this release does not know the kind')
})
