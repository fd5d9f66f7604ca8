import { formatInstant } from '@sealpost/kernel'
import type { StoredConnection } from '../../../connections/index.ts'
import type { NewEvent } from '../../../feed/index.ts'
import type { StoredMessage } from '../../model.ts'

export function receivedEvent(connection: StoredConnection, { id, body, createdAt }: StoredMessage): NewEvent {
  const { companyId, serviceId, customerId, shareCode, publicKey } = connection
  return {
    owner: { kind: 'service', companyId, serviceId },
    connectionId: connection.id,
    kind: 'message_received',
    payload: {
      person_user_id: customerId,
      share_code: shareCode,
      message_id: id,
      person_public_key: publicKey,
      created_at: formatInstant(createdAt),
      body,
    },
    key: null,
  }
}
