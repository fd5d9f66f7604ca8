import { timingSafeEqual } from 'node:crypto'
import { type ConnectionId, type Instant, instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { ApiError, type ChallengeAnswer } from '@sealpost/protocol'
import { lockConnection, type StoredConnection } from '../../../connections/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import type { Outcome } from '../../model.ts'
import type { ServiceContext } from '../context.ts'
import type { Challenge, ChallengeName, LiveChallenge } from '../model.ts'
import { completedEvents } from '../rules/events.ts'
import { MOST_WRONG_DIGITS, MUTED_MS, outcomeAt } from '../rules/life.ts'
import { addWrongDigits, lockToAnswer, putOutcome } from '../store/challenges.ts'
import { muteEnrollment } from '../store/enrollments.ts'

export interface Answer extends ChallengeName {
  readonly connectionId: ConnectionId
  readonly customerId: UserId
  /** The region that asks: it may answer for its own customers only. */
  readonly region: string
  readonly answer: ChallengeAnswer
  readonly digits: string | null
}

export type Answered = Outcome | 'not_found' | 'unavailable' | 'paused' | 'digits_mismatch'

/** The customer's answer; a challenge that has an outcome keeps it. The device was verified in the customer's region. */
export async function answerChallenge(context: ServiceContext, answer: Answer): Promise<Answered> {
  const { database, live } = context
  if (await context.isPaused()) return 'paused'
  const entry = answer.answer === 'approve' ? await findLive(context, answer) : null
  const answered = await database.transaction((tx) => answerLocked(context, tx, answer, entry))
  if (typeof answered === 'object') await live.remove(answer.id, null)
  return answered
}

/** Null when Redis has lost the entry or can't be reached. */
async function findLive({ live }: ServiceContext, { id }: ChallengeName): Promise<LiveChallenge | null> {
  try {
    return await live.find(id)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

async function answerLocked(
  context: ServiceContext,
  tx: Tx,
  answer: Answer,
  entry: LiveChallenge | null,
): Promise<Answered> {
  const connection = await lockConnection(tx, answer.serviceId, answer.connectionId)
  const isOwn = connection?.customerId === answer.customerId && connection.customerRegion === answer.region
  const challenge = await lockToAnswer(tx, answer)
  if (!isOwn || challenge?.customerId !== answer.customerId) return 'not_found'
  const now = context.clock.now()
  if (answer.answer === 'report') await muteEnrollment(tx, answer, instant(now + MUTED_MS))
  const earlier = outcomeAt(challenge, now)
  if (earlier !== null) return earlier
  const locked = { connection, challenge, now }
  if (answer.answer !== 'approve') return close(context, tx, locked, 'denied')
  if (!challenge.isEnrolled) return close(context, tx, locked, 'revoked')
  // Without its entry a challenge can't be approved, also one without digits.
  if (entry === null || (entry.digits !== null) !== challenge.hasDigits) return 'unavailable'
  if (entry.digits === null || matches(entry.digits, answer.digits)) return close(context, tx, locked, 'approved')
  await addWrongDigits(tx, challenge)
  if (challenge.wrongDigits + 1 >= MOST_WRONG_DIGITS) await close(context, tx, locked, 'denied')
  return 'digits_mismatch'
}

function matches(expected: string, given: string | null): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given?.trim() ?? '')]
  return left.length === right.length && timingSafeEqual(left, right)
}

interface Locked {
  readonly connection: StoredConnection
  readonly challenge: Challenge
  readonly now: Instant
}

async function close(
  context: ServiceContext,
  tx: Tx,
  { connection, challenge, now }: Locked,
  status: Outcome['status'],
): Promise<Outcome> {
  const outcome = { status, completedAt: now }
  await putOutcome(tx, challenge, outcome)
  await context.messages.tellClosed(tx, connection, challenge.id, outcome)
  await appendEvents(context, tx, completedEvents(challenge, outcome))
  return outcome
}
