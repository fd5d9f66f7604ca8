import { accept, decline, type Result, type UserId } from '@sealpost/kernel'
import type { TurnRefusal } from '@sealpost/protocol'
import type { Recipient } from '../../../documents/index.ts'
import type { Actor, BoundCustomer, BoundParty, StoredRun } from '../model.ts'

const AWAITING = 'awaiting_'

export function awaiting(partyKey: string): string {
  return `${AWAITING}${partyKey}`
}

export function isClosed({ status }: Pick<StoredRun, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

/** The party whose turn it is; null while documents are made or signed, and at the end. */
export function awaitedParty({ status, parties }: Pick<StoredRun, 'status' | 'parties'>): BoundParty | null {
  return parties.find(({ partyKey }) => status === awaiting(partyKey)) ?? null
}

export function awaitsOwner(run: Pick<StoredRun, 'status' | 'parties'>): boolean {
  return awaitedParty(run)?.customer === null
}

/** The party that the actor answers for. */
export function requireTurn(run: StoredRun, { userId }: Pick<Actor, 'userId'>): Result<BoundParty, TurnRefusal> {
  if (hasErasedCustomer(run)) return decline('account.counterparty_deleted')
  const party = awaitedParty(run)
  if (party === null) return decline('flows.run_not_awaiting')
  return party.userId === userId ? accept(party) : decline('flows.not_your_turn')
}

export function hasErasedCustomer({ parties }: Pick<StoredRun, 'parties'>): boolean {
  return parties.some(({ customer }) => customer?.isErased === true)
}

/** A region may act only for its own customers; the company acts for itself. */
export function isActor({ parties }: Pick<StoredRun, 'parties'>, { userId, region }: Actor): boolean {
  return parties.some((party) => party.userId === userId && (party.customer?.region ?? null) === region)
}

/** The first party that is not the company. */
export function primaryOf({ parties }: Pick<StoredRun, 'parties'>): BoundParty & {
  readonly customer: NonNullable<BoundParty['customer']>
} {
  for (const party of parties) if (party.customer !== null) return { ...party, customer: party.customer }
  throw new Error('a run has no customer')
}

/** As documents name a customer. */
export function primaryRecipient(run: Pick<StoredRun, 'parties'>): Recipient {
  const { userId, customer } = primaryOf(run)
  return recipientOf(userId, customer)
}

export function recipientOf(customerId: UserId, { connectionId, region, shareCode }: BoundCustomer): Recipient {
  return { connectionId, customerId, customerRegion: region, shareCode }
}
