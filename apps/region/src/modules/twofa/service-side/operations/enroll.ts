import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { findAccount } from '../../../account/index.ts'
import { lockConnection, type StoredConnection } from '../../../connections/index.ts'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import type { ServiceContext } from '../context.ts'
import { completedEvents } from '../rules/events.ts'
import { lockPending, putOutcome } from '../store/challenges.ts'
import { findEnrollment, putEnrollment } from '../store/enrollments.ts'

/** What a customer's region says about an enrolment. */
export interface EnrollmentChange {
  readonly serviceId: ServiceId
  readonly connectionId: ConnectionId
  readonly customerId: UserId
  readonly region: string
  readonly rev: number
}

export type Enrolled = { readonly enrolledAt: Instant } | 'not_connected' | 'level_required'

/** A level gates new enrolments only; those that exist go on below it. */
export async function enroll(context: ServiceContext, tx: Tx, change: EnrollmentChange): Promise<Enrolled> {
  const connection = await lockOwn(tx, change)
  if (connection?.customerType !== 'person') return 'not_connected'
  const known = await findEnrollment(tx, change)
  if (known !== null && known.rev >= change.rev) return known.isActive ? known : 'not_connected'
  const company = await findAccount(tx, connection.companyId)
  if (company === null || company.level === 'free' || company.level === 'basic') return 'level_required'
  const { serviceId, customerId, rev } = change
  const { companyId, id: connectionId, shareCode } = connection
  const enrolledAt = context.clock.now()
  await putEnrollment(tx, {
    serviceId,
    customerId,
    companyId,
    connectionId,
    shareCode,
    rev,
    isActive: true,
    enrolledAt,
  })
  await context.messages.tellEnrolled(tx, connection, { rev, enrolledAt })
  return { enrolledAt }
}

/** Every pending challenge of the pair is revoked with the enrolment. A lower number is outdated. */
export async function hearRevoked(context: ServiceContext, tx: Tx, change: EnrollmentChange): Promise<void> {
  const connection = await lockOwn(tx, change)
  if (connection === null) return
  const known = await findEnrollment(tx, change)
  if (known === null || known.rev >= change.rev) return
  await putEnrollment(tx, { ...known, rev: change.rev, isActive: false })
  await appendEvents(context, tx, await revokePending(context, tx, connection, 'told'))
}

/** Answers the events; the caller appends them last. */
export async function revokePending(
  { clock, messages }: ServiceContext,
  tx: Tx,
  connection: StoredConnection,
  customer: 'told' | 'knows',
): Promise<readonly NewEvent[]> {
  const now = clock.now()
  const outcome = { status: 'revoked', completedAt: now } as const
  const events: NewEvent[] = []
  for (const challenge of await lockPending(tx, connection, now)) {
    await putOutcome(tx, challenge, outcome)
    if (customer === 'told') await messages.tellClosed(tx, connection, challenge.id, outcome)
    events.push(...completedEvents(challenge, outcome))
  }
  return events
}

/** A region may act only for its own customers. */
async function lockOwn(tx: Tx, change: EnrollmentChange): Promise<StoredConnection | null> {
  const connection = await lockConnection(tx, change.serviceId, change.connectionId)
  const isOwn = connection?.customerId === change.customerId && connection.customerRegion === change.region
  return isOwn ? connection : null
}
