import { parseUuid } from '@sealpost/kernel'

/** An id that came over the bus; a region that sends anything else is broken. */
export function readId<Id extends string>(text: string): Id {
  const id = parseUuid<Id>(text)
  if (id === null) throw new Error('a message names something by what is no id')
  return id
}
