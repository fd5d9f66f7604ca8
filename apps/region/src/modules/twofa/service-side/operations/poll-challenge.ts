import { formatInstant, parseUuid, type ServiceId } from '@sealpost/kernel'
import { type ChallengeState, refuse } from '@sealpost/protocol'
import type { ChallengeId, Outcome } from '../../model.ts'
import type { ServiceContext } from '../context.ts'
import type { Challenge } from '../model.ts'
import { isForgotten, outcomeAt } from '../rules/life.ts'
import { findChallenge, lockChallenge, markConsumed, putOutcome } from '../store/challenges.ts'

/** A challenge of another service answers like a missing one. */
export async function locateChallenge(
  { database, clock }: ServiceContext,
  serviceId: ServiceId,
  text: string,
): Promise<Challenge> {
  const id = parseUuid<ChallengeId>(text)
  const found = id === null ? null : await database.read((read) => findChallenge(read, { serviceId, id }))
  if (found === null || isForgotten(found, clock.now())) throw refuse('twofa.challenge_not_found')
  return found
}

/**
 * What Redis decides: only whether a pending challenge can still be approved. Lost there, it can't, and until it
 * has expired nothing else is known: `twofa.unavailable`. An outcome is in PostgreSQL and needs no Redis.
 */
export async function pollChallenge(context: ServiceContext, challenge: Challenge): Promise<ChallengeState> {
  if (outcomeAt(challenge, context.clock.now()) !== null) return consume(context, challenge)
  if ((await context.live.find(challenge.id)) === null) throw refuse('twofa.unavailable')
  return { status: 'pending', expires_at: formatInstant(challenge.expiresAt) }
}

/** Exactly one reader gets the outcome: it is marked before the answer is sent. */
async function consume(context: ServiceContext, challenge: Challenge): Promise<ChallengeState> {
  const { consumedAt, outcome: stored, ...name } = challenge
  if (consumedAt !== null) throw refuse('twofa.result_consumed')
  if (await context.isPaused()) throw refuse('twofa.unavailable')
  const { database, clock } = context
  return database.transaction(async (tx) => {
    if (stored !== null) {
      if (!(await markConsumed(tx, name, clock.now()))) throw refuse('twofa.result_consumed')
      return toWire(stored)
    }
    const locked = await lockChallenge(tx, name)
    const now = clock.now()
    if (locked === null || isForgotten(locked, now)) throw refuse('twofa.challenge_not_found')
    if (locked.consumedAt !== null) throw refuse('twofa.result_consumed')
    const outcome = outcomeAt(locked, now)
    if (outcome === null) throw refuse('twofa.unavailable')
    if (locked.outcome === null) await putOutcome(tx, locked, outcome)
    await markConsumed(tx, locked, now)
    return toWire(outcome)
  })
}

function toWire({ status, completedAt }: Outcome): ChallengeState {
  return { status, completed_at: formatInstant(completedAt) }
}
