import { timingSafeEqual } from 'node:crypto'
import { type ConnectionId, type Instant, instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { ApiError, type ChallengeAnswer } from '@sealpost/protocol'
import { lockConnection, type StoredConnection } from '../../../connections/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import type { Outcome } from '../../model.ts'
import type { ServiceContext } from '../context.ts'
import type { Challenge, ChallengeName } from '../model.ts'
import { completedEvents } from '../rules/events.ts'
import { MOST_WRONG_DIGITS, MUTED_MS, outcomeAt } from '../rules/life.ts'
import { addWrongDigits, findChallenge, lockChallenge, putOutcome } from '../store/challenges.ts'
import { findEnrollment, muteEnrollment } from '../store/enrollments.ts'

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
  const found = await database.read((read) => findChallenge(read, answer))
  if (found === null) return 'not_found'
  const isOver = outcomeAt(found, context.clock.now()) !== null
  const digits = answer.answer === 'approve' && !isOver ? await findDigits(context, found) : null
  if (digits === 'unavailable') return 'unavailable'
  const answered = await database.transaction((tx) => answerLocked(context, tx, answer, digits))
  if (typeof answered === 'object') await live.remove(answer.id, null)
  return answered
}

interface Digits {
  readonly expected: string | null
}

/** Without them a challenge can't be approved, also when Redis has lost an entry that had none. */
async function findDigits({ live }: ServiceContext, { id, hasDigits }: Challenge): Promise<Digits | 'unavailable'> {
  try {
    const entry = await live.find(id)
    if (entry === null || (entry.digits !== null) !== hasDigits) return 'unavailable'
    return { expected: entry.digits }
  } catch (error) {
    if (error instanceof ApiError) return 'unavailable'
    throw error
  }
}

async function answerLocked(context: ServiceContext, tx: Tx, answer: Answer, digits: Digits | null): Promise<Answered> {
  const connection = await lockConnection(tx, answer.serviceId, answer.connectionId)
  const isOwn = connection?.customerId === answer.customerId && connection.customerRegion === answer.region
  const challenge = await lockChallenge(tx, answer)
  if (!isOwn || challenge?.customerId !== answer.customerId) return 'not_found'
  const now = context.clock.now()
  if (answer.answer === 'report') await muteEnrollment(tx, answer, instant(now + MUTED_MS))
  const earlier = outcomeAt(challenge, now)
  if (earlier !== null) return earlier
  const locked = { connection, challenge, now }
  if (answer.answer !== 'approve') return close(context, tx, locked, 'denied')
  const enrollment = await findEnrollment(tx, challenge)
  if (enrollment?.isActive !== true) return close(context, tx, locked, 'revoked')
  // It expired while Redis was asked, or another process stored the outcome and removed it.
  if (digits === null) return 'unavailable'
  if (digits.expected === null || matches(digits.expected, answer.digits)) return close(context, tx, locked, 'approved')
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
