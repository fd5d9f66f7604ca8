import type { AccountClient, CustomerClient, ServiceClient } from '@sealpost/sdk'
import type { PartyWorld } from './party-world.ts'

/** Clients whose calls go through one tape. */
export interface Clients {
  readonly world: PartyWorld
  readonly facts: Facts
  readonly app: CustomerClient
  readonly backend: ServiceClient
  readonly office: AccountClient
  readonly fetch: typeof globalThis.fetch
}

/** Made before the journeys begin, by honest means. */
export interface Facts {
  readonly connectionId: string
  readonly photoId: string
  /** A document that waits to be accepted. */
  readonly offerId: string
  /** A service without a connection. */
  readonly otherCode: string
  /** Runs: one waits for the person, one for the company, one is over. */
  readonly theirs: string
  readonly ours: string
  readonly done: string
  /** One in which the company asks the plugin. */
  readonly priced: string
}

export interface Journey {
  readonly name: string
  /** Hands on what it reads: the caller gets it as it was told. */
  readonly handsOn?: true
  /** Answers what the client believes in the end. */
  readonly go: (clients: Clients) => Promise<unknown>
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
