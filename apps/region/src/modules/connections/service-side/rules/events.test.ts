import type { ConnectionId, RequestFieldId, ServiceId, UserId } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import type { ConnectRequest } from '../model.ts'
import { connectionEvent, requestEvent, slotEvent } from './events.ts'

const customer = {
  companyId: 'c1' as UserId,
  serviceId: 's1' as ServiceId,
  id: 'k1' as ConnectionId,
  customerId: 'p1' as UserId,
  customerType: 'company',
  shareCode: 'CODE',
} as const
const about = { owner: { kind: 'service', companyId: 'c1', serviceId: 's1' }, connectionId: 'k1' }
const who = { person_user_id: 'p1', share_code: 'CODE', customer_type: 'company' }

describe('events of a connection', () => {
  test('name the customer', () => {
    expect(connectionEvent('connection_created', customer)).toEqual({
      ...about,
      kind: 'connection_created',
      payload: who,
      key: null,
    })
    expect(connectionEvent('connection_deleted', { ...customer, shareCode: null }).payload).toEqual({
      ...who,
      share_code: null,
    })
  })

  test('of a slot name its row, by which they collapse', () => {
    const event = (id: string, kind: 'field_updated' | 'field_deleted' = 'field_updated') =>
      slotEvent(kind, customer, { id: id as RequestFieldId, slug: 'email' })
    expect(event('r1')).toEqual({
      ...about,
      kind: 'field_updated',
      payload: { ...who, slug: 'email', request_field_id: 'r1' },
      key: expect.stringContaining('r1'),
    })
    expect([event('r1').key === event('r1', 'field_deleted').key, event('r1').key === event('r2').key]).toEqual([
      true,
      false,
    ])
  })

  test('of a request name it, and its person', () => {
    const request = { ...customer, id: 'q1' } as unknown as ConnectRequest
    expect(requestEvent('connection_request_accepted', request, 'k1' as ConnectionId)).toEqual({
      ...about,
      kind: 'connection_request_accepted',
      payload: { ...who, customer_type: 'person', request_id: 'q1' },
      key: expect.stringContaining('p1'),
    })
    expect(requestEvent('connection_request_rejected', request, null).connectionId).toBeNull()
  })
})
