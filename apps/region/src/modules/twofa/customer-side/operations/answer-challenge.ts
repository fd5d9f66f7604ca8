import { formatInstant, parseInstant, parseUuid, type UserId } from '@sealpost/kernel'
import { type AnsweredChallenge, type ChallengeAnswer, type DeviceAssertion, refuse } from '@sealpost/protocol'
import type { Caller } from '../../../../platform/caller.ts'
import { findUsableConnection, type OpenConnection } from '../../../connections/index.ts'
import { verifyDeviceAssertion } from '../../../login/index.ts'
import type { ChallengeId, Outcome } from '../../model.ts'
import type { CustomerContext } from '../context.ts'
import type { Card } from '../model.ts'
import { findCard } from '../store/cards.ts'
import { withdrawCard } from './hear-challenges.ts'

export interface LocatedCard {
  readonly card: Card
  readonly connection: OpenConnection
}

/** Another account's card answers like a missing one. */
export async function locateCard({ database }: CustomerContext, accountId: UserId, text: string): Promise<LocatedCard> {
  const id = parseUuid<ChallengeId>(text)
  if (id === null) throw refuse('twofa.challenge_not_found')
  return database.read(async (read) => {
    const card = await findCard(read, { accountId, id })
    const connection = card === null ? null : await findUsableConnection(read, { accountId, id: card.connectionId })
    if (card === null || connection === null) throw refuse('twofa.challenge_not_found')
    return { card, connection }
  })
}

export interface Approval {
  readonly matching_digits?: string | null
  readonly assertion: DeviceAssertion
}

/**
 * The signature is over the id of the challenge, which has one outcome, so it counts once. An outcome that is known here
 * needs no proof: answering it again changes nothing.
 */
export async function approveChallenge(
  context: CustomerContext,
  { userId }: Caller,
  located: LocatedCard,
  { matching_digits: digits = null, assertion }: Approval,
): Promise<AnsweredChallenge> {
  const { card } = located
  if (card.outcome === null) {
    const device = await verifyDeviceAssertion(context.login, userId, { challenge: card.id, assertion })
    if (device === null) {
      const details = [{ path: '/body/assertion', message: 'was not made by a device of this account' }]
      throw refuse('request.invalid', { details })
    }
  }
  return requireOutcome(card, await answer(context, located, 'approve', digits), 'approved')
}

export async function denyChallenge(context: CustomerContext, located: LocatedCard): Promise<AnsweredChallenge> {
  return requireOutcome(located.card, await answer(context, located, 'deny', null), 'denied')
}

/** Reported, an earlier outcome stays as it is. */
export async function reportChallenge(context: CustomerContext, located: LocatedCard): Promise<AnsweredChallenge> {
  return outcomeToWire(located.card, await ask(context, located, 'report', null))
}

function answer(
  context: CustomerContext,
  located: LocatedCard,
  given: ChallengeAnswer,
  digits: string | null,
): Promise<Outcome> {
  const { outcome } = located.card
  return outcome === null ? ask(context, located, given, digits) : Promise.resolve(outcome)
}

/** The service's side decides; its outcome is stored here at once, and its tell changes nothing then. */
async function ask(
  context: CustomerContext,
  { card, connection }: LocatedCard,
  given: ChallengeAnswer,
  digits: string | null,
): Promise<Outcome> {
  const reply = await context.messages.askToAnswer(connection, card.id, given, digits)
  switch (reply.outcome) {
    case 'closed': {
      const outcome = { status: reply.status, completedAt: readTime(reply.completed_at) }
      await context.database.transaction((tx) => withdrawCard(context, tx, card, outcome))
      return outcome
    }
    case 'not_found':
      throw refuse('twofa.challenge_not_found')
    case 'unavailable':
      throw refuse('twofa.unavailable')
    case 'paused':
      throw refuse('db.writes_paused')
    case 'digits_mismatch':
      throw refuse('twofa.digits_mismatch')
  }
}

function requireOutcome(card: Card, outcome: Outcome, wanted: Outcome['status']): AnsweredChallenge {
  const answered = outcomeToWire(card, outcome)
  if (outcome.status === wanted) return answered
  const { status, completed_at } = answered
  throw refuse('twofa.challenge_closed', { status, completed_at })
}

function outcomeToWire({ id }: Card, { status, completedAt }: Outcome): AnsweredChallenge {
  return { id, status, completed_at: formatInstant(completedAt) }
}

function readTime(text: string) {
  const time = parseInstant(text)
  if (time === null) throw new Error('invalid timestamp in a bus message')
  return time
}
