import { type Bus, parseParty } from '@sealpost/bus'
import { formatInstant, instant } from '@sealpost/kernel'
import {
  answerChallengeAsk,
  challengeClosedTell,
  challengeRaisedTell,
  enrollAsk,
  enrolledTell,
  enrollmentRevokedTell,
  revokeEnrollmentAsk,
} from '@sealpost/protocol'
import { type ConnectedBody, readId } from '../../../platform/bus-values.ts'
import type { StoredConnection } from '../../connections/index.ts'
import type { ServiceContext, ServiceMessages } from '../service-side/context.ts'
import { answerChallenge } from '../service-side/operations/answer-challenge.ts'
import { enroll, type EnrollmentChange, hearRevoked } from '../service-side/operations/enroll.ts'

export function serviceMessages(bus: Bus): ServiceMessages {
  return {
    tellEnrolled: (tx, connection, { rev, enrolledAt }) =>
      bus.tell(tx, enrolledTell, {
        to: parseParty(connection.customerRegion),
        key: connection.id,
        body: { ...nameToWire(connection), rev, enrolled_at: formatInstant(instant(enrolledAt)) },
      }),
    tellRaised: (tx, connection, { id, hasDigits, createdAt, expiresAt }, context) =>
      bus.tell(tx, challengeRaisedTell, {
        to: parseParty(connection.customerRegion),
        key: connection.id,
        body: {
          ...nameToWire(connection),
          challenge: {
            id,
            context,
            number_matching: hasDigits,
            created_at: formatInstant(createdAt),
            expires_at: formatInstant(expiresAt),
          },
        },
      }),
    tellClosed: (tx, connection, id, { status, completedAt }) =>
      bus.tell(tx, challengeClosedTell, {
        to: parseParty(connection.customerRegion),
        key: connection.id,
        body: { ...nameToWire(connection), challenge_id: id, status, completed_at: formatInstant(completedAt) },
      }),
  }
}

function nameToWire({ companyId, serviceId, id, customerId }: StoredConnection): ConnectedBody {
  return { company_id: companyId, service_id: serviceId, connection_id: id, customer_id: customerId }
}

/** Handles asks and tells of the customers' regions. */
export function answerAsService(bus: Bus, context: ServiceContext): void {
  bus.onAsk(enrollAsk, async (tx, { from, body }) => {
    const enrolled = await enroll(context, tx, readChange(body, from))
    if (typeof enrolled === 'string') return { outcome: enrolled }
    return { outcome: 'enrolled', enrolled_at: formatInstant(enrolled.enrolledAt) }
  })
  bus.onAsk(revokeEnrollmentAsk, async (tx, { from, body }) => {
    await hearRevoked(context, tx, readChange(body, from))
    return {}
  })
  bus.onTell(enrollmentRevokedTell, (tx, { from, body }) => hearRevoked(context, tx, readChange(body, from)))
  bus.onRead(answerChallengeAsk, async ({ from, body }) => {
    const answered = await answerChallenge(context, {
      serviceId: readId(body.service_id),
      id: readId(body.challenge_id),
      connectionId: readId(body.connection_id),
      customerId: readId(body.customer_id),
      region: from,
      answer: body.answer,
      digits: body.matching_digits,
    })
    if (typeof answered === 'string') return { outcome: answered }
    return { outcome: 'closed', status: answered.status, completed_at: formatInstant(answered.completedAt) }
  })
}

function readChange(body: ConnectedBody & { readonly rev: number }, from: string): EnrollmentChange {
  return {
    serviceId: readId(body.service_id),
    connectionId: readId(body.connection_id),
    customerId: readId(body.customer_id),
    region: from,
    rev: body.rev,
  }
}
