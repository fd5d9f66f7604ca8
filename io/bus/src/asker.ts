import type { Ids } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import { DEFAULT_ASK_TIMEOUT_MS, sendAsk } from './asks/ask.ts'
import { openCarriers } from './carrier/open-carriers.ts'
import type { AskingContext } from './context.ts'
import type { Ask, AskContract } from './contracts.ts'
import { awayOf } from './health.ts'
import { DIRECTORY, FORWARDER, parseParty, type Parties, type Party } from './parties.ts'

export interface AskerOptions {
  readonly parties: Parties
  readonly telemetry: Telemetry
  readonly ids: Ids
  readonly askTimeoutMs?: number
}

/** The forwarder's end of the bus: it asks regions, and needs no database for that. */
export interface Asker {
  ask<Body, Reply>(contract: AskContract<Body, Reply>, ask: Ask<Body>): Promise<Reply>
  /** Regions whose NATS cannot be reached from here right now. */
  awayCarriers(): readonly Party[]
  close(): Promise<void>
}

export function openAsker({ parties, telemetry, ids, askTimeoutMs }: AskerOptions): Asker {
  const carriers = openCarriers(FORWARDER, { ...parties, [FORWARDER]: null }, telemetry.log)
  const peers = Object.keys(parties)
    .map(parseParty)
    .filter((party) => party !== DIRECTORY)
  const context: AskingContext = {
    self: FORWARDER,
    peers,
    telemetry,
    ids,
    attachments: null,
    process: ids.uuid(),
    askTimeoutMs: askTimeoutMs ?? DEFAULT_ASK_TIMEOUT_MS,
    carrierAt: (region) => carriers.at(region),
  }
  return {
    ask: (contract, ask) => sendAsk(context, contract, ask),
    awayCarriers: () => awayOf(carriers),
    close: () => carriers.close(),
  }
}
