import type { CallOptions } from './options.ts'
import type { PumpOptions } from './pump/pump-options.ts'
import type { PumpSource, PumpTimes } from './pump/pump-source.ts'
import { ChangePump } from './pump/pump.ts'
import { drainChanges, drainCustomerChanges, whoami } from './routes.generated.ts'
import type { Send } from './send.ts'
import type { DrainChangesAnswer, DrainCustomerChangesAnswer } from './shapes.generated.ts'

/** An event of a service; `event` is its kind. */
export type ServiceChange = DrainChangesAnswer['changes'][number]
/** An event on the connections of a company that is a customer. */
export type CustomerChange = DrainCustomerChangesAnswer['changes'][number]

export interface PageOptions extends CallOptions {
  /** 1 to 500; 100 by default. */
  readonly limit?: number
  /** Reads from a channel of this name and removes nothing from the feed. */
  readonly listener?: string
  /** Drains the backlog of this webhook instead. Services only. */
  readonly webhookId?: string
}

export interface DrainOptions extends PageOptions {
  /** Called with the attempt id of each page before it is read: keep it until the page is handled. */
  readonly onAttempt?: (attemptId: string) => void | Promise<void>
  /** The attempt id of a page that may not have been handled: the page is returned again for five minutes. */
  readonly resume?: string
}

export interface ChangePage<Change> {
  readonly changes: readonly Change[]
  readonly has_more: boolean
}

type ReadPage<Change> = (query: DrainQuery, options: CallOptions) => Promise<ChangePage<Change>>

interface DrainQuery {
  readonly limit?: string
  readonly listener?: string
  readonly webhook_id?: string
  readonly attempt_id: string
}

/**
 * The feed. Reading a page removes its changes, so every page has an attempt id: when an answer is lost, the client repeats
 * the attempt and gets the same page. A change can arrive twice, with the same `id`; none is lost in transit.
 */
export class Changes<Change extends { readonly id: string }> {
  readonly #read: ReadPage<Change>
  readonly #source: PumpSource<Change>

  constructor(read: ReadPage<Change>, source: Omit<PumpSource<Change>, 'readPage'>) {
    this.#read = read
    this.#source = { ...source, readPage: (attemptId, options) => this.read(attemptId, options) }
  }

  /** Handles the changes in order and loses none when the process dies; `pump.run()` starts it. */
  pump(options: PumpOptions<Change>): ChangePump<Change> {
    return new ChangePump(this.#source, options)
  }

  /** One page. The same `attemptId` returns the same changes for five minutes. */
  read(attemptId: string, { limit, listener, webhookId, ...options }: PageOptions = {}): Promise<ChangePage<Change>> {
    const query = {
      attempt_id: attemptId,
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(listener === undefined ? {} : { listener }),
      ...(webhookId === undefined ? {} : { webhook_id: webhookId }),
    }
    return this.#read(query, options)
  }

  /** All pending changes, oldest first, one page in memory at a time; ends when the feed is empty. */
  async *drain(options: DrainOptions = {}): AsyncGenerator<Change, void, undefined> {
    const { onAttempt, resume, ...pageOptions } = options
    let attemptId = resume ?? crypto.randomUUID()
    for (;;) {
      await onAttempt?.(attemptId)
      const { changes, has_more: hasMore } = await this.read(attemptId, pageOptions)
      yield* changes
      if (!hasMore) return
      attemptId = crypto.randomUUID()
    }
  }
}

export function changesOfService(send: Send, { now, wait }: PumpTimes): Changes<ServiceChange> {
  const owner = async (options: CallOptions) => `service ${(await send(whoami, {}, options)).service_id}`
  const source = { feed: 'service', owner, now, wait } as const
  return new Changes((query, options) => send(drainChanges, { query }, options), source)
}

export function changesOfCustomer(
  send: Send,
  me: (options: CallOptions) => Promise<{ readonly id: string }>,
  { now, wait }: PumpTimes,
): Changes<CustomerChange> {
  const owner = async (options: CallOptions) => `account ${(await me(options)).id}`
  const source = { feed: 'customer', owner, now, wait } as const
  return new Changes((query, options) => send(drainCustomerChanges, { query }, options), source)
}
