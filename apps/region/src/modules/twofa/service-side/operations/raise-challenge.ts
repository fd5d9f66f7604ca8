import { createHash } from 'node:crypto'
import { formatInstant, instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { ApiError, type RaisedChallenge, refuse } from '@sealpost/protocol'
import { lockConnection } from '../../../connections/index.ts'
import { findService, type ServiceName } from '../../../services/index.ts'
import type { ServiceContext } from '../context.ts'
import type { Enrollment, LiveChallenge, NewChallenge } from '../model.ts'
import { drawDigits } from '../rules/life.ts'
import { type GivenChallenge, readWish, type Wish, type WishRefusal } from '../rules/wish.ts'
import { countPending, findChallenge, insertChallenge } from '../store/challenges.ts'
import { findChallengeable } from '../store/enrollments.ts'

const MINUTE = 60

/**
 * Redis first, which knows the key of the caller and the digits; then one transaction with the
 * row and the card. A call that fails between the two is completed by its repetition, which finds the same challenge.
 */
export async function raiseChallenge(
  context: ServiceContext,
  service: ServiceName,
  given: GivenChallenge,
): Promise<RaisedChallenge> {
  const read = readWish(given)
  if (!read.ok) throw refusalOf(read.refusal)
  const wish = read.value
  await takeForPerson(context, service, wish.shareCode)
  const { database, clock, live } = context
  const enrollment = await database.read((tx) => findChallengeable(tx, service.serviceId, wish.shareCode, clock.now()))
  if (enrollment === null) throw refuse('twofa.person_not_found')
  const fresh = await draft(context, service, wish)
  const name = { serviceId: service.serviceId, idempotencyKey: wish.idempotencyKey }
  const raised = await live.raise(name, fresh)
  if (raised.fingerprint !== fresh.fingerprint) throw refuse('twofa.idempotency_conflict')
  try {
    await database.transaction((tx) => storeRaised(context, tx, enrollment, raised, wish.context))
  } catch (error) {
    // A definite refusal: no row was written, and the key is free again.
    if (error instanceof ApiError && raised.id === fresh.id) await live.remove(raised.id, name)
    throw error
  }
  return {
    challenge_id: raised.id,
    status: 'pending',
    expires_at: formatInstant(raised.expiresAt),
    ...(raised.digits === null ? {} : { matching_digits: raised.digits }),
  }
}

/** By the code as it was sent, so that an unknown one is limited alike. */
async function takeForPerson({ limiter, settings }: ServiceContext, { serviceId }: ServiceName, shareCode: string) {
  const quota = settings.RATE_TWOFA_PERSON
  const key = `service:${serviceId}:person:${shareCode}`
  const answer = await limiter.take([{ policy: 'twofa', key, quota, windowSeconds: MINUTE }])
  if (answer.outcome !== 'refused') return
  const retryAfterSeconds = Math.max(1, ...answer.states.map((state) => state.retryAfterSeconds))
  throw refuse('rate.limited', undefined, { retryAfterSeconds })
}

async function draft(
  { database, clock, ids, random, settings }: ServiceContext,
  { companyId, serviceId }: ServiceName,
  { shareCode, context }: Wish,
): Promise<LiveChallenge> {
  const service = await database.read((read) => findService(read, companyId, serviceId))
  const now = clock.now()
  return {
    id: ids.uuid(),
    digits: service?.numberMatching === true ? drawDigits(random) : null,
    createdAt: now,
    expiresAt: instant(now + settings.TWOFA_TTL_SECONDS * 1000),
    fingerprint: createHash('sha256')
      .update(JSON.stringify([shareCode, context]))
      .digest('hex'),
  }
}

/** The lock of the connection orders raises, answers and the end of the enrolment. */
async function storeRaised(
  { clock, messages, settings }: ServiceContext,
  tx: Tx,
  { serviceId, connectionId, customerId, shareCode }: Enrollment,
  raised: LiveChallenge,
  context: string | null,
): Promise<void> {
  const connection = await lockConnection(tx, serviceId, connectionId)
  const now = clock.now()
  const pending = connection === null ? null : await countPending(tx, serviceId, shareCode, now)
  if (connection === null || pending === null) throw refuse('twofa.person_not_found')
  if (pending >= settings.TWOFA_PENDING_MAX) {
    if ((await findChallenge(tx, { serviceId, id: raised.id })) !== null) return
    throw refuse('twofa.pending_cap')
  }
  const challenge: NewChallenge = {
    serviceId,
    id: raised.id,
    companyId: connection.companyId,
    customerId,
    connectionId,
    shareCode,
    hasDigits: raised.digits !== null,
    createdAt: raised.createdAt,
    expiresAt: raised.expiresAt,
  }
  if (!(await insertChallenge(tx, challenge))) return
  await messages.tellRaised(tx, connection, challenge, context)
}

function refusalOf(refusal: WishRefusal): Error {
  if (refusal.key !== 'request.invalid') return refuse(refusal.key)
  return refuse('request.invalid', { details: [{ path: refusal.path, message: refusal.message }] })
}
