import type { Brand, Secret } from '@sealpost/kernel'
import type { RegionAddress } from '@sealpost/protocol'

/** A participant of the bus: a region by its code, or the directory. */
export type Party = Brand<string, 'Party'>

/** The NATS of one region. The directory has none of its own. */
export interface NatsServer {
  readonly servers: readonly string[]
  readonly user?: string
  readonly password?: Secret<string>
}

/** Every existing party with its NATS; the directory's entry is null. */
export type Parties = Readonly<Record<string, NatsServer | null>>

export interface NatsLogin {
  /** Empty when the servers require none. */
  readonly user: string
  readonly password: Secret<string>
}

/** The parties of an installation: its regions, each with its NATS servers, and the directory. */
export function partiesOf(regions: readonly RegionAddress[], login: NatsLogin): Parties {
  const credentials = login.user === '' ? {} : { user: login.user, password: login.password }
  const servers = regions.map(({ code, natsUrls }) => [code, { servers: natsUrls, ...credentials }] as const)
  return Object.fromEntries([['directory', null], ...servers])
}

/** Names are part of NATS subjects and stream names, where dots, stars and spaces have a meaning. */
const PARTY = /^[a-z][a-z0-9-]{0,30}$/

export function parseParty(text: string): Party {
  if (!isParty(text))
    throw new Error(`${JSON.stringify(text)} is not a party: use a region code such as eu, or directory`)
  return text
}

export const DIRECTORY = parseParty('directory')

/** A direction between two parties: the tells from `source` to `target`. */
export interface Link {
  readonly source: Party
  readonly target: Party
}

/**
 * The region whose NATS carries a link: the source's own, so that telling continues while the other region is
 * unreachable; the directory has none and uses the target's.
 */
export function carrierOfLink({ source, target }: Link): Party {
  return source === DIRECTORY ? target : source
}

/** The region whose NATS carries an ask. The directory answers at every region, so a region asks it at home. */
export function carrierOfAsk(asking: Party, asked: Party): Party {
  return asked === DIRECTORY ? asking : asked
}

/**
 * Every party that `self` has a link with. A region also tells itself: two of its accounts are still rows of two
 * parties.
 */
export function peersOf(self: Party, parties: Parties): readonly Party[] {
  const all = Object.keys(parties).map(parseParty)
  return self === DIRECTORY ? all.filter((party) => party !== DIRECTORY) : all
}

function isParty(text: string): text is Party {
  return PARTY.test(text)
}
