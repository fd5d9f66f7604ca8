import { type ClientId, parseClientId } from '@sealpost/kernel'
import type { Exchange } from './exchange.ts'

/**
 * The client that a call without a token names in its query or form, for the log line of a refusal. Only text with the form
 * of a client id: callers put secrets into wrong members.
 */
export function namedClientOf({ namedClient, query, body }: Exchange): ClientId | null {
  return namedClient ?? clientIdIn(body) ?? clientIdIn(query)
}

function clientIdIn(members: unknown): ClientId | null {
  if (typeof members !== 'object' || members === null || !('client_id' in members)) return null
  return typeof members.client_id === 'string' ? parseClientId(members.client_id) : null
}
