import type { Clock, Ids } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import { createAskAges } from './asks/age.ts'
import { answerAsk, type AskHandlers, registerRead, registerStored } from './asks/answer.ts'
import { DEFAULT_ASK_TIMEOUT_MS, sendAsk } from './asks/ask.ts'
import { openCarriers } from './carrier/open-carriers.ts'
import type { BusContext } from './context.ts'
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
import { awayOf, type BusHealth, readHealth } from './health.ts'
import { registerTell, type TellHandlers } from './inbox/handlers.ts'
import { writeTell, writeTells } from './outbox/tell.ts'
import { createWaker } from './outbox/waker.ts'
import { type Parties, type Party, peersOf } from './parties.ts'
import { type BusRoles, startStation, type Station } from './station.ts'
import { type BusSwitches, NOTHING_TURNED } from './switches.ts'

export interface BusOptions {
  /** The party that this process works for. */
  readonly self: Party
  readonly parties: Parties
  readonly database: Database
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly ids: Ids
  readonly roles: BusRoles
  /** Required for sending and receiving attachments. */
  readonly attachments?: Attachments
  /** Stable across restarts, so that a restarted process takes its seats back at once; random if absent. */
  readonly processName?: string
  readonly historyHours?: number
  readonly askTimeoutMs?: number
  readonly switches?: Partial<BusSwitches>
}

export interface Bus {
  /** Writes in the caller's transaction; sent after its commit. */
  tell<Body>(tx: Tx, contract: TellContract<Body>, tell: Tell<Body>): Promise<void>
  /** Many tells without attachments in one statement; no two of them have the same target and key. */
  tellAll<Body>(tx: Tx, contract: TellContract<Body>, tells: readonly Omit<Tell<Body>, 'attachment'>[]): Promise<void>
  ask<Body, Reply>(contract: AskContract<Body, Reply>, ask: Ask<Body>): Promise<Reply>
  onTell<Body>(contract: TellContract<Body>, handle: TellHandler<Body>): void
  /** For commands whose contract says `none`. */
  onRead<Body, Reply>(contract: AskContract<Body, Reply>, handle: ReadAskHandler<Body, Reply>): void
  /** For commands whose contract says `stored`. */
  onAsk<Body, Reply>(contract: AskContract<Body, Reply>, handle: StoredAskHandler<Body, Reply>): void
  onLoss(handle: LossHandler): void
  /** Joins the database to the bus and starts the roles. Register handlers before. */
  start(): Promise<void>
  health(): Promise<BusHealth>
  /** Regions whose NATS cannot be reached from here right now. */
  awayCarriers(): readonly Party[]
  /** Accepts no more asks and resolves when pending ones are answered; asking and telling continue. */
  leave(): Promise<void>
  /** Ends pending work and closes the connections; the database stays open. */
  close(): Promise<void>
}

const DEFAULT_HISTORY_HOURS = 24

export function openBus(options: BusOptions): Bus {
  const carriers = openCarriers(options.self, options.parties, options.telemetry.log)
  const context: BusContext = {
    ...options,
    peers: peersOf(options.self, options.parties),
    attachments: options.attachments ?? null,
    askTimeoutMs: options.askTimeoutMs ?? DEFAULT_ASK_TIMEOUT_MS,
    process: options.processName ?? options.ids.uuid(),
    switches: { ...NOTHING_TURNED, ...options.switches },
    carrierAt: (region) => carriers.at(region),
  }
  const tells: TellHandlers = new Map()
  const asks: AskHandlers = new Map()
  const ages = createAskAges()
  const losses: LossHandler[] = []
  const waker = createWaker(context)
  let station: Station | null = null
  return {
    async tell(tx, contract, tell) {
      await writeTell(context, tx, contract, tell)
      tx.afterCommit(() => waker.wake(tell.to))
    },
    async tellAll(tx, contract, many) {
      await writeTells(context, tx, contract, many)
      for (const target of new Set(many.map(({ to }) => to))) tx.afterCommit(() => waker.wake(target))
    },
    ask: (contract, ask) => sendAsk(context, contract, ask),
    onTell: (contract, handle) => registerTell(tells, contract, handle),
    onRead(contract, handle) {
      requireIdempotency(contract, 'none')
      registerRead(asks, contract, handle)
    },
    onAsk(contract, handle) {
      requireIdempotency(contract, 'stored')
      registerStored(asks, contract, handle)
    },
    onLoss: (handle) => void losses.push(handle),
    async start() {
      station = await startStation(context, {
        roles: options.roles,
        historyHours: options.historyHours ?? DEFAULT_HISTORY_HOURS,
        tells,
        losses,
        answer: (asking, payload) => answerAsk(context, { asks, ages }, asking, payload),
        waker,
      })
    },
    health: () => readHealth(context, carriers),
    awayCarriers: () => awayOf(carriers),
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

function requireIdempotency({ command, idempotency }: Declared, wanted: Declared['idempotency']): void {
  if (idempotency === wanted) return
  throw new Error(`${command} is declared '${idempotency}': register it with ${wanted === 'none' ? 'onAsk' : 'onRead'}`)
}
