import { type Bus, DIRECTORY, parseParty, type Party } from '@sealpost/bus'
import type { Ids, ServiceId, UserId } from '@sealpost/kernel'
import {
  answerChallengeAsk,
  challengeClosedTell,
  challengeRaisedTell,
  consentToEnrollAsk,
  enrollAsk,
  enrolledTell,
  enrollmentRevokedTell,
  readEnrollmentAsk,
  refuse,
  revokeEnrollmentAsk,
} from '@sealpost/protocol'
import { type ConnectedBody, readId, readTime } from '../../../platform/bus-values.ts'
import type { KnownConnection } from '../../connections/index.ts'
import type { CustomerContext, CustomerMessages } from '../customer-side/context.ts'
import type { EnrollmentName } from '../customer-side/model.ts'
import { enroll, isEnrolled } from '../customer-side/operations/enrollments.ts'
import {
  hearClosed,
  hearEnrolled,
  hearRaised,
  type ToldConnection,
} from '../customer-side/operations/hear-challenges.ts'

/** Tells are ordered by the connection. */
export function customerMessages(bus: Bus, ids: Ids): CustomerMessages {
  return {
    async askToEnroll(connection, rev) {
      const reply = await bus.ask(enrollAsk, {
        to: parseParty(connection.companyRegion),
        id: `twofa_enroll:${connection.id}:${rev}:${ids.uuid()}`,
        body: { ...nameToWire(connection), rev },
      })
      return reply.outcome === 'enrolled' ? { outcome: 'enrolled', enrolledAt: readTime(reply.enrolled_at) } : reply
    },
    async askToRevoke(connection, rev) {
      await bus.ask(revokeEnrollmentAsk, {
        to: parseParty(connection.companyRegion),
        id: `twofa_revoke:${connection.id}:${rev}`,
        body: { ...nameToWire(connection), rev },
      })
    },
    tellRevoked: (tx, connection, rev) =>
      bus.tell(tx, enrollmentRevokedTell, {
        to: parseParty(connection.companyRegion),
        key: connection.id,
        body: { ...nameToWire(connection), rev },
      }),
    askToAnswer: (connection, id, answer, digits) =>
      bus.ask(answerChallengeAsk, {
        to: parseParty(connection.companyRegion),
        body: { ...nameToWire(connection), challenge_id: id, answer, matching_digits: digits },
      }),
  }
}

function nameToWire({ companyId, serviceId, id, accountId }: KnownConnection['connection']): ConnectedBody {
  return { company_id: companyId, service_id: serviceId, connection_id: id, customer_id: accountId }
}

/** Handles tells of the services' regions, and asks of the front door about a person at the consent page. */
export function hearAsCustomer(bus: Bus, context: CustomerContext): void {
  bus.onTell(enrolledTell, async (tx, { from, body }) => {
    await hearEnrolled(tx, readTold(body, from), { rev: body.rev, enrolledAt: readTime(body.enrolled_at) })
  })
  bus.onTell(challengeRaisedTell, async (tx, { from, body }) => {
    const {
      id,
      context: text,
      number_matching: hasDigits,
      created_at: createdAt,
      expires_at: expiresAt,
    } = body.challenge
    const times = { createdAt: readTime(createdAt), expiresAt: readTime(expiresAt) }
    await hearRaised(context, tx, readTold(body, from), { id: readId(id), context: text, hasDigits, ...times })
  })
  bus.onTell(challengeClosedTell, async (tx, { from, body }) => {
    const outcome = { status: body.status, completedAt: readTime(body.completed_at) }
    await hearClosed(context, tx, readTold(body, from), { id: readId(body.challenge_id), ...outcome })
  })
  bus.onRead(readEnrollmentAsk, async ({ from, body }) => ({
    is_enrolled: await isEnrolled(context, readConsenting(from, body)),
  }))
  bus.onRead(consentToEnrollAsk, async ({ from, body }) => {
    if (await context.isPaused()) throw refuse('db.writes_paused')
    await enroll(context, readConsenting(from, body))
    return {}
  })
}

function readTold(body: ConnectedBody, from: string): ToldConnection {
  return {
    accountId: readId(body.customer_id),
    connectionId: readId(body.connection_id),
    serviceId: readId(body.service_id),
    companyRegion: from,
  }
}

function readConsenting(from: Party, body: { readonly user_id: string; readonly service_id: string }): EnrollmentName {
  if (from !== DIRECTORY) throw new Error(`${from} sent an ask that only the front door may send`)
  return { accountId: readId<UserId>(body.user_id), serviceId: readId<ServiceId>(body.service_id) }
}
