import type { Brand, Secret } from '@sealpost/kernel'

/** A participant of the bus: a region by its code, the directory, or the forwarder. */
export type Party = Brand<string, 'Party'>

/** The NATS of one region. The directory has none of its own. */
export interface NatsServer {
  /** `tls://` addresses are never used without TLS. */
  readonly servers: readonly string[]
  /** The nkey seed of this party at this NATS; absent at one that requires no login. */
  readonly key?: Secret<string>
  /** The certificates, as PEM, that may have signed the servers'; those that Node trusts if absent. */
  readonly ca?: string
}

/** Every existing party with its NATS; the directory's entry is null. */
export type Parties = Readonly<Record<string, NatsServer | null>>

/** Names are part of NATS subjects and stream names, where dots, stars and spaces have a meaning. */
const PARTY = /^[a-z][a-z0-9-]{0,30}$/

export function parseParty(text: string): Party {
  if (!isParty(text))
    throw new Error(`${JSON.stringify(text)} is not a party: use a region code such as eu, or directory`)
  return text
}

export const DIRECTORY = parseParty('directory')

/** Asks regions about plugins, has no database, and hears nothing but the answers. */
export const FORWARDER = parseParty('forwarder')

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

/**
 * The region whose NATS carries an ask from `source` to `target`. The directory answers at every region, so a region asks
 * it at home.
 */
export function carrierOfAsk({ source, target }: Link): Party {
  return target === DIRECTORY ? source : target
}

/** Every direction between two parties; the forwarder has none, because it neither tells nor is told. */
export function linksBetween(parties: readonly Party[]): readonly Link[] {
  const linked = parties.filter((party) => party !== FORWARDER)
  return linked.flatMap((source) => peersAmong(source, linked).map((target) => ({ source, target })))
}

/** The forwarder and each region that it asks; empty among parties without a forwarder. */
export function forwarderAsks(parties: readonly Party[]): readonly Link[] {
  if (!parties.includes(FORWARDER)) return []
  const regions = parties.filter((party) => party !== FORWARDER && party !== DIRECTORY)
  return regions.map((target) => ({ source: FORWARDER, target }))
}

/**
 * Every party that `self` has a link with. A region also tells itself: two of its accounts are still rows of two
 * parties.
 */
export function peersOf(self: Party, parties: Parties): readonly Party[] {
  return peersAmong(self, Object.keys(parties).map(parseParty))
}

function peersAmong(self: Party, all: readonly Party[]): readonly Party[] {
  return self === DIRECTORY ? all.filter((party) => party !== DIRECTORY) : all
}

function isParty(text: string): text is Party {
  return PARTY.test(text)
}
