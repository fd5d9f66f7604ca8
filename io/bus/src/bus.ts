import type { Clock, Ids } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import { answerAsk, type AskHandlers, registerRead, registerStored } from './asks/answer.ts'
import { sendAsk } from './asks/ask.ts'
import { openCarriers } from './carrier/open-carriers.ts'
import type {
  Ask,
  AskContract,
  Attachments,
  LossHandler,
  ReadAskHandler,
  StoredAskHandler,
  Tell,
  TellContract,
  TellHandler,
} from './contracts.ts'
import { type BusHealth, readHealth } from './health.ts'
import { registerTell, type TellHandlers } from './inbox/handlers.ts'
import type { BusNeeds } from './needs.ts'
import { writeTell } from './outbox/tell.ts'
import { createWaker } from './outbox/waker.ts'
import { type Parties, type Party, peersOf } from './parties.ts'
import { type BusRoles, startStation, type Station } from './station.ts'
import { type BusSwitches, NOTHING_TURNED } from './switches.ts'

export interface BusOptions {
  /** Who this process works for. */
  readonly self: Party
  readonly parties: Parties
  readonly database: Database
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly ids: Ids
  readonly roles: BusRoles
  /** Needed by whoever sends or receives attachments. */
  readonly attachments?: Attachments
  /** The same after a restart, so that a restarted process takes its seats back at once; made up if not given. */
  readonly processName?: string
  readonly historyHours?: number
  readonly switches?: Partial<BusSwitches>
}

export interface Bus {
  /** Writes in the caller's transaction; sent once that has committed. */
  tell<Body>(tx: Tx, contract: TellContract<Body>, tell: Tell<Body>): Promise<void>
  ask<Body, Reply>(contract: AskContract<Body, Reply>, ask: Ask<Body>): Promise<Reply>
  onTell<Body>(contract: TellContract<Body>, handle: TellHandler<Body>): void
  /** For commands whose contract says `none`. */
  onRead<Body, Reply>(contract: AskContract<Body, Reply>, handle: ReadAskHandler<Body, Reply>): void
  /** For commands whose contract says `stored`. */
  onAsk<Body, Reply>(contract: AskContract<Body, Reply>, handle: StoredAskHandler<Body, Reply>): void
  onLoss(handle: LossHandler): void
  /** Joins the database to the bus and takes up the roles. Register handlers before. */
  start(): Promise<void>
  health(): Promise<BusHealth>
  /** Takes no more asks and resolves when those under way are answered; asking and telling go on. */
  leave(): Promise<void>
  /** Ends what is under way and closes the connections; the database stays open. */
  close(): Promise<void>
}

const DEFAULT_HISTORY_HOURS = 24

export function openBus(options: BusOptions): Bus {
  const carriers = openCarriers(options.self, options.parties, options.telemetry.log)
  const needs: BusNeeds = {
    ...options,
    peers: peersOf(options.self, options.parties),
    attachments: options.attachments ?? null,
    process: options.processName ?? options.ids.uuid(),
    switches: { ...NOTHING_TURNED, ...options.switches },
    carrierAt: (region) => carriers.at(region),
  }
  const tells: TellHandlers = new Map()
  const asks: AskHandlers = new Map()
  const losses: LossHandler[] = []
  const waker = createWaker(needs)
  let station: Station | null = null
  return {
    async tell(tx, contract, tell) {
      await writeTell(needs, tx, contract, tell)
      tx.afterCommit(() => waker.wake(tell.to))
    },
    ask: (contract, ask) => sendAsk(needs, contract, ask),
    onTell: (contract, handle) => registerTell(tells, contract, handle),
    onRead(contract, handle) {
      demandIdempotency(contract, 'none')
      registerRead(asks, contract, handle)
    },
    onAsk(contract, handle) {
      demandIdempotency(contract, 'stored')
      registerStored(asks, contract, handle)
    },
    onLoss: (handle) => void losses.push(handle),
    async start() {
      station = await startStation(needs, {
        roles: options.roles,
        historyHours: options.historyHours ?? DEFAULT_HISTORY_HOURS,
        tells,
        losses,
        answer: (asking, payload) => answerAsk(needs, asks, asking, payload),
        waker,
      })
    },
    health: () => readHealth(needs, carriers),
    async leave() {
      await station?.leave()
    },
    async close() {
      await station?.stop()
      await carriers.close()
    },
  }
}

type Declared = Pick<AskContract<unknown, unknown>, 'command' | 'idempotency'>

function demandIdempotency({ command, idempotency }: Declared, wanted: Declared['idempotency']): void {
  if (idempotency === wanted) return
  throw new Error(`${command} is declared '${idempotency}': register it with ${wanted === 'none' ? 'onAsk' : 'onRead'}`)
}
