import { formatInstant } from '@sealpost/kernel'
import { collapseKey, serviceEvents } from '@sealpost/protocol'
import type { NewEvent } from '../../../feed/index.ts'
import type { Outcome } from '../../model.ts'
import type { Challenge } from '../model.ts'

/** None for an expired one. The feed keeps the latest of a person. */
export function completedEvents(challenge: Challenge, { status, completedAt }: Outcome): readonly NewEvent[] {
  if (status === 'expired') return []
  const { companyId, serviceId, customerId, connectionId, shareCode, id } = challenge
  return [
    {
      owner: { kind: 'service', companyId, serviceId },
      connectionId,
      kind: '2fa_challenge_completed',
      payload: {
        person_user_id: customerId,
        share_code: shareCode,
        challenge_id: id,
        status,
        completed_at: formatInstant(completedAt),
      },
      key: collapseKey(serviceEvents['2fa_challenge_completed'].collapse, {
        service_id: serviceId,
        person_user_id: customerId,
      }),
    },
  ]
}
