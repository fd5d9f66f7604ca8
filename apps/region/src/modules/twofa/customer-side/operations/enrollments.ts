import { instant, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import { ApiError, refuse } from '@sealpost/protocol'
import { findKnown, findOwnConnection, type KnownConnection, lockOwnConnection } from '../../../connections/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Enrollment, EnrollmentName } from '../model.ts'
import { activate, findEnrollment, takeRev } from '../store/enrollments.ts'

export async function isEnrolled({ database }: CustomerContext, name: EnrollmentName): Promise<boolean> {
  return (await database.read((read) => findEnrollment(read, name)))?.isActive === true
}

/**
 * A number is taken before the service's side is asked. Its reply, or the tell that cannot
 * be lost, makes the enrolment active; a later revocation has a higher number and wins on both sides, in any order.
 */
export async function enroll(context: CustomerContext, name: EnrollmentName): Promise<void> {
  if (await isEnrolled(context, name)) return
  const { database, clock, messages } = context
  const { connection, rev } = await database.transaction(async (tx) => {
    const open = await findOwnConnection(tx, name.accountId, name.serviceId)
    const locked = open === null ? null : await lockOwnConnection(tx, open)
    const known = locked === null ? null : await findKnown(tx, locked)
    if (known === null) throw notConnected()
    return { connection: known.connection, rev: await takeRev(tx, name, known.connection.id, clock.now()) }
  })
  const reply = await messages.askToEnroll(connection, rev)
  if (reply.outcome === 'level_required') throw refuse('account.level_required', { required_level: 'pro' })
  if (reply.outcome !== 'enrolled') throw notConnected()
  await database.transaction((tx) => activate(tx, name, rev, instant(reply.enrolledAt)))
}

function notConnected(): ApiError {
  return refuse('oauth.invalid_request', undefined, { sentence: 'there is no connection to the service' })
}

export interface LocatedEnrollment {
  readonly enrollment: Enrollment
  readonly known: KnownConnection
}

export async function locateEnrollment(
  { database }: CustomerContext,
  accountId: UserId,
  text: string,
): Promise<LocatedEnrollment> {
  const serviceId = parseUuid<ServiceId>(text)
  if (serviceId === null) throw refuse('twofa.enrollment_not_found')
  return database.read(async (read) => {
    const enrollment = await findEnrollment(read, { accountId, serviceId })
    const isActive = enrollment?.isActive === true
    const known = isActive ? await findKnown(read, { accountId, id: enrollment.connectionId }) : null
    if (enrollment === null || known === null) throw refuse('twofa.enrollment_not_found')
    return { enrollment, known }
  })
}

/**
 * Ended here and told in one transaction; the ask makes it take effect at the service before the call is answered. While
 * the service's region is away, no card of it is shown any more, and the tell waits.
 */
export async function revokeEnrollment(context: CustomerContext, located: LocatedEnrollment): Promise<void> {
  const { database, clock, messages } = context
  const { connection } = located.known
  const rev = await database.transaction(async (tx) => {
    await lockOwnConnection(tx, connection)
    const current = await findEnrollment(tx, connection)
    if (current?.isActive !== true) throw refuse('twofa.enrollment_not_found')
    const taken = await takeRev(tx, connection, connection.id, clock.now())
    await messages.tellRevoked(tx, connection, taken)
    return taken
  })
  try {
    await messages.askToRevoke(connection, rev)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
