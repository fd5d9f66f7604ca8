import { formatInstant } from '@sealpost/kernel'
import type { Enrollment as ShownEnrollment, ReceivedChallenge } from '@sealpost/protocol'
import type { KnownConnection } from '../../connections/index.ts'
import type { Card, Enrollment } from './model.ts'

export function cardToWire(
  { id, connectionId, context, hasDigits, createdAt, expiresAt }: Card,
  known: KnownConnection,
): ReceivedChallenge {
  return {
    id,
    connection_id: connectionId,
    ...partiesToWire(known),
    context,
    number_matching: hasDigits,
    created_at: formatInstant(createdAt),
    expires_at: formatInstant(expiresAt),
  }
}

export function enrollmentToWire({
  enrollment: { serviceId, connectionId, enrolledAt },
  known,
}: {
  readonly enrollment: Enrollment
  readonly known: KnownConnection
}): ShownEnrollment {
  if (enrolledAt === null) throw new Error(`the enrolment for service ${serviceId} is not active`)
  return {
    service_id: serviceId,
    connection_id: connectionId,
    ...partiesToWire(known),
    enrolled_at: formatInstant(enrolledAt),
  }
}

function partiesToWire({ connection: { companyId, serviceId }, card: { facts } }: KnownConnection) {
  const { display_name, share_code } = facts.company
  return {
    company: { user_id: companyId, display_name, share_code },
    service: { service_id: serviceId, name: facts.name, code: facts.code },
  }
}
