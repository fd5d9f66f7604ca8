import type { Clock, Ids } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { appendEvents, type NewEvent } from '../../feed/index.ts'
import type { Connection, ServiceCard } from './connection.ts'

/** What a company that is a customer learns of a connection. */
export interface CustomerNews {
  readonly kind: 'connection_created' | 'connection_deleted' | 'share_changed' | 'consent_requested'
  readonly connection: Pick<Connection, 'accountId' | 'userType' | 'id'>
}

/**
 * On the account feeds of companies. Persons have several devices, and a drain by one would hide news from the others, so
 * theirs read again instead. Last in a transaction: it holds the feeds until the end.
 */
export async function announce(
  tx: Tx,
  needs: { readonly clock: Clock; readonly ids: Ids },
  card: Pick<ServiceCard, 'facts'> | null,
  news: readonly CustomerNews[],
): Promise<void> {
  const events = news.filter(({ connection }) => connection.userType === 'company').map((each) => eventOf(each, card))
  if (events.length > 0) await appendEvents(tx, needs, events)
}

function eventOf({ kind, connection }: CustomerNews, card: Pick<ServiceCard, 'facts'> | null): NewEvent {
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
