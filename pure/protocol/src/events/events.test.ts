import { expect, test } from 'vitest'
import { customerEvents } from './customer.ts'
import { collapseKey, type EventEntry } from './entry.ts'
import { isSubscribable, serviceEvents } from './service.ts'

const channels = { serviceEvents, customerEvents } satisfies Record<string, Readonly<Record<string, EventEntry>>>

test.each(Object.entries(channels))(
  '%s: each schema names its own event and requires id, event and at',
  (_, events) => {
    for (const [kind, entry] of Object.entries<EventEntry>(events)) {
      expect(entry.schema.properties['event']).toMatchObject({ const: kind })
      expect(entry.schema.required).toEqual(expect.arrayContaining(['id', 'event', 'at']))
    }
  },
)

test.each(Object.entries(channels))('%s: an event that collapses requires the members it collapses by', (_, events) => {
  for (const entry of Object.values<EventEntry>(events)) {
    const delivered = entry.collapse?.by.filter((name) => name !== 'request_field_id')
    expect(entry.schema.required).toEqual(expect.arrayContaining([...(delivered ?? [])]))
  }
})

test('an update and a deletion of one slot collapse, those of two rows or connections do not, also under one slug', () => {
  expect(fieldKey('field_updated', 'c1', 'r1')).toBe(fieldKey('field_deleted', 'c1', 'r1'))
  expect(fieldKey('field_updated', 'c1', 'r1')).not.toBe(fieldKey('field_updated', 'c1', 'r2'))
  expect(fieldKey('field_updated', 'c1', 'r1')).not.toBe(fieldKey('field_updated', 'c2', 'r1'))
  expect(fieldKey('field_updated', 'c","1', 'x')).not.toBe(fieldKey('field_updated', 'c', '1","x'))
})

test('a challenge and a connect request of one person do not collapse into each other', () => {
  const members = { service_id: 's1', person_user_id: 'p1' }
  expect(collapseKey(serviceEvents['2fa_challenge_completed'].collapse, members)).not.toBe(
    collapseKey(serviceEvents.connection_request_accepted.collapse, members),
  )
})

test('the families and the members that events collapse by', () => {
  const rules = Object.values(channels).flatMap((events) =>
    Object.values<EventEntry>(events).flatMap(({ collapse }) => collapse ?? []),
  )
  const shown = new Map(rules.map(({ family, by }) => [family, by]))
  expect(Object.fromEntries(shown)).toEqual({
    field: ['connection_id', 'request_field_id'],
    document_status: ['document_id'],
    connection_request: ['service_id', 'person_user_id'],
    challenge: ['service_id', 'person_user_id'],
  })
})

test('messages, runs and connections never collapse', () => {
  expect(collapseKey(serviceEvents.message_received.collapse, {})).toBeNull()
  expect(collapseKey(serviceEvents.flow_run_turn.collapse, {})).toBeNull()
  expect(collapseKey(serviceEvents.connection_created.collapse, {})).toBeNull()
})

test('an event that lacks a member it collapses by is refused instead of replacing others', () => {
  expect(() => collapseKey(serviceEvents.field_updated.collapse, { connection_id: 'c1' })).toThrow(/request_field_id/)
})

test('a webhook may subscribe to every event but the test', () => {
  expect(isSubscribable('key_rotated')).toBe(true)
  expect(isSubscribable('test')).toBe(false)
  expect(isSubscribable('hasOwnProperty')).toBe(false)
})

function fieldKey(kind: 'field_updated' | 'field_deleted', connection_id: string, row: string): string | null {
  return collapseKey(serviceEvents[kind].collapse, { connection_id, request_field_id: row, slug: 'contact' })
}
