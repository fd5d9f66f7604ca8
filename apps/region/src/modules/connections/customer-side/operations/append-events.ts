import type { Tx } from '@sealpost/postgres'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import type { CustomerContext, PersonHint } from '../context.ts'
import type { Connection, ServiceCard } from '../model.ts'

export interface CustomerEvent {
  readonly kind: 'connection_created' | 'connection_deleted' | 'share_changed' | 'consent_requested'
  readonly connection: Pick<Connection, 'accountId' | 'userType' | 'id'>
}

/**
 * Appends to the account feeds of companies. Persons have no feed: they use several devices, and a drain by one device would
 * hide events from the others; their devices get hints. Called last in a transaction, because it locks feeds and heads.
 */
export async function appendCustomerEvents(
  context: CustomerContext,
  tx: Tx,
  card: Pick<ServiceCard, 'facts'> | null,
  events: readonly CustomerEvent[],
): Promise<void> {
  const ofCompanies = events.filter(({ connection }) => connection.userType === 'company')
  if (ofCompanies.length > 0) {
    const feedEvents = ofCompanies.map((event) => feedEventOf(event, card))
    await appendEvents(context, tx, feedEvents)
  }
  const hints = events.flatMap(hintsOf)
  if (hints.length > 0) await context.hooks.hint(tx, hints)
}

/** For the other devices of the person who has changed what a service gets; last in the transaction. */
export async function hintAnswers(
  { hooks }: CustomerContext,
  tx: Tx,
  { userType, accountId, id }: CustomerEvent['connection'],
): Promise<void> {
  if (userType === 'person') await hooks.hint(tx, [{ accountId, kind: 'answers_changed', id }])
}

/** A change of a service's card is no hint: it would reach every customer of the service for a change that none waits for. */
function hintsOf({ kind, connection: { userType, accountId, id } }: CustomerEvent): readonly PersonHint[] {
  return userType === 'person' && kind !== 'share_changed' ? [{ accountId, kind, id }] : []
}

function feedEventOf({ kind, connection }: CustomerEvent, card: Pick<ServiceCard, 'facts'> | null): NewEvent {
  return {
    owner: { kind: 'account', accountId: connection.accountId },
    kind,
    connectionId: connection.id,
    payload: {
      company_share_code: card?.facts.company.share_code ?? null,
      service_share_code: card?.facts.code ?? '',
      ...(kind === 'consent_requested' ? { consent_id: connection.id } : {}),
    },
    key: null,
  }
}
