import type { Tx } from '@sealpost/postgres'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Connection, ServiceCard } from '../model.ts'

export interface CustomerEvent {
  readonly kind: 'connection_created' | 'connection_deleted' | 'share_changed' | 'consent_requested'
  readonly connection: Pick<Connection, 'accountId' | 'userType' | 'id'>
}

/**
 * Appends to the account feeds of companies. Persons have no feed: they use several devices, and a drain by one device would
 * hide events from the others. Called last in a transaction, because it locks the feeds.
 */
export async function appendCustomerEvents(
  context: CustomerContext,
  tx: Tx,
  card: Pick<ServiceCard, 'facts'> | null,
  events: readonly CustomerEvent[],
): Promise<void> {
  const ofCompanies = events.filter(({ connection }) => connection.userType === 'company')
  if (ofCompanies.length === 0) return
  await appendEvents(
    context,
    tx,
    ofCompanies.map((event) => feedEventOf(event, card)),
  )
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
