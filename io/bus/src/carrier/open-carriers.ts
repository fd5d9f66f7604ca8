import type { Log } from '@sealpost/telemetry'
import { DIRECTORY, parseParty, type Parties, type Party } from '../parties.ts'
import type { Carrier } from './carrier.ts'
import { openNatsCarrier } from './nats.ts'

export interface Carriers {
  at(region: Party): Carrier
  all(): readonly { readonly region: Party; readonly carrier: Carrier }[]
  close(): Promise<void>
}

/** One connection per region's NATS. */
export function openCarriers(self: Party, parties: Parties, log: Log): Carriers {
  const open = new Map<Party, Carrier>()
  for (const [name, server] of Object.entries(parties)) {
    const region = parseParty(name)
    if (server === null && region !== DIRECTORY) throw new Error(`the region ${name} has no NATS servers`)
    if (server !== null) open.set(region, openNatsCarrier(server, `sealpost ${self}`, log))
  }
  if (parties[self] === undefined) throw new Error(`the list of parties does not name ${self} itself`)
  return {
    at(region) {
      const carrier = open.get(region)
      if (carrier === undefined) throw new Error(`there is no NATS at ${region}`)
      return carrier
    },
    all: () => [...open].map(([region, carrier]) => ({ region, carrier })),
    async close() {
      await Promise.all([...open.values()].map((carrier) => carrier.close()))
    },
  }
}
