import { type Instant, parseInstant, parseUuid } from '@sealpost/kernel'

/** The names of a connection in a bus message. */
export interface ConnectedBody {
  company_id: string
  service_id: string
  connection_id: string
  customer_id: string
}

/** An id from a bus message; a malformed one is a fault of the sending region. */
export function readId<Id extends string>(text: string): Id {
  const id = parseUuid<Id>(text)
  if (id === null) throw new Error('invalid id in a bus message')
  return id
}

export function readTime(text: string): Instant {
  const time = parseInstant(text)
  if (time === null) throw new Error('invalid timestamp in a bus message')
  return time
}
