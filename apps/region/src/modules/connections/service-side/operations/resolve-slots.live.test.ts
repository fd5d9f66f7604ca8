import { type ConnectionId, instant, parseUuid } from '@sealpost/kernel'
import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import type { StoredEvent } from '../../../feed/index.ts'
import { resolveSlots } from './resolve-slots.ts'

const world = await openWorld()
const service = await world.service([{ slug: 'mail', type: 'email' }])
const customer = await world.customer(service, [{ slug: 'mail', text: 'mara@home.example' }])
const row = service.row('mail')
const connectionId = parseUuid<ConnectionId>(customer.connectionId)

/** A feed would stop at an event that cannot be resolved, so every stored payload must resolve. */
test('an event with an unreadable payload becomes a deletion; the other events are resolved', async () => {
  const odd: StoredEvent['payload'][] = [
    {},
    { slug: null, request_field_id: null },
    { slug: 5, request_field_id: ['x'] },
    { slug: { a: 1 }, request_field_id: 'no id' },
    { slug: 'gone', request_field_id: '019a0000-0000-7000-8000-00000000dead' },
  ]
  const event = (payload: StoredEvent['payload'], no: number, at: ConnectionId | null = connectionId): StoredEvent => {
    return {
      id: `event ${no}` as StoredEvent['id'],
      no,
      kind: 'field_updated',
      connectionId: at,
      payload,
      at: instant(0),
    }
  }
  const events = [
    ...odd.map((payload, no) => event(payload, no)),
    event({ slug: 'mail', request_field_id: row }, 10, null),
    event({ slug: 'mail' }, 11),
    event({ slug: 'mail', request_field_id: row }, 12),
  ]
  const owner = { kind: 'service', companyId: service.company.companyId, serviceId: service.serviceId } as const
  const resolved = await world.eu.platform.database.read((read) => resolveSlots(world, read, owner, events))
  expect(events.map(({ id }) => resolved.get(id)?.event)).toEqual([
    ...Array.from({ length: 7 }, () => 'field_deleted'),
    'field_updated',
  ])
})
