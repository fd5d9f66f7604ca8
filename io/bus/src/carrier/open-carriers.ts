import type { Log } from '@sealpost/telemetry'
import { DIRECTORY, FORWARDER, type NatsServer, parseParty, type Parties, type Party } from '../parties.ts'
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
    if (server === null && region !== DIRECTORY && region !== FORWARDER)
      throw new Error(`the region ${name} has no NATS servers`)
    if (server === null) continue
    warnOfExposure(region, server, log)
    open.set(region, openNatsCarrier({ server, self, region, log }))
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

const LOOPBACK = /^(127\.[\d.]+|localhost|\[::1\])$/

function warnOfExposure(region: Party, { servers, key }: NatsServer, log: Log): void {
  if (key === undefined)
    log.warn({ region }, 'NATS is used without a login: everyone who reaches it can read and send all messages')
  const isPlain = servers.some((url) => !url.startsWith('tls://') && !LOOPBACK.test(new URL(url).hostname))
  if (isPlain)
    log.warn({ region }, 'messages to NATS are not encrypted: use tls:// in REGIONS unless the network encrypts them')
}
