import { parseUuid } from '@sealpost/kernel'

/** An id from a bus message; a malformed one is a fault of the sending region. */
export function readId<Id extends string>(text: string): Id {
  const id = parseUuid<Id>(text)
  if (id === null) throw new Error('invalid id in a bus message')
  return id
}
