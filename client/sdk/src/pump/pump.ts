import { ChangeBuffer, stateOf } from './buffer.ts'
import type { Binding, DeadLetter, Identified } from './journal.ts'
import { type PumpOptions, type PumpPlan, type PumpResult, planOf } from './pump-options.ts'
import type { PumpSource } from './pump-source.ts'
import { type PumpRun, pumpChanges } from './run.ts'
import { StoreError } from './store-error.ts'

/**
 * Reads changes from the feed and loses none when the process dies. The attempt id of a page is stored before the request,
 * so that a page whose answer was lost is read again; the page is stored before it is handled; a change is removed from
 * the store after its handler resolved. A change can therefore be handled twice, with the same `id`; the first times are
 * in the order of the feed.
 */
export class ChangePump<Change extends Identified> {
  readonly #source: PumpSource<Change>
  readonly #options: PumpOptions<Change>
  readonly #plan: PumpPlan
  #open: ChangeBuffer<Change> | null = null

  constructor(source: PumpSource<Change>, options: PumpOptions<Change>) {
    this.#source = source
    this.#options = options
    this.#plan = planOf(options)
  }

  /** Runs until the feed is empty, or with `follow` until the signal is aborted. A further run continues from there. */
  async run(): Promise<PumpResult> {
    return this.#withBuffer(async (buffer) => {
      this.#requireChannel(buffer.binding)
      const run: PumpRun<Change> = {
        source: this.#source,
        options: this.#options,
        plan: this.#plan,
        buffer,
        bind: (owner) => this.#bind(buffer, owner),
      }
      this.#open = buffer
      try {
        return await pumpChanges(run)
      } finally {
        this.#open = null
      }
    })
  }

  /** The dead letters, oldest first; also while the pump runs, here or in another process. */
  async deadLetters(): Promise<readonly DeadLetter<Change>[]> {
    if (this.#open !== null) return this.#open.deadLetters
    const { store } = this.#options
    return [...stateOf<Change>(store, await store.read()).dead.values()]
  }

  /** Queues dead letters again, with no failures counted: those with these event ids, or all. */
  retry(ids?: readonly string[]): Promise<number> {
    return this.#resolveDead('retried', ids)
  }

  /** Deletes dead letters: those with these event ids, or all. */
  discard(ids?: readonly string[]): Promise<number> {
    return this.#resolveDead('discarded', ids)
  }

  async #resolveDead(k: 'retried' | 'discarded', ids: readonly string[] | undefined): Promise<number> {
    if (this.#open === null) {
      return this.#withBuffer((buffer) => {
        this.#requireChannel(buffer.binding)
        return resolveDead(buffer, k, ids)
      })
    }
    return resolveDead(this.#open, k, ids)
  }

  async #withBuffer<T>(use: (buffer: ChangeBuffer<Change>) => Promise<T>): Promise<T> {
    const buffer = await ChangeBuffer.open<Change>(this.#options.store, this.#plan.rememberIds)
    try {
      return await use(buffer)
    } finally {
      await buffer.close()
    }
  }

  #requireChannel(bound: Binding | null): void {
    const { feed } = this.#source
    const { channel } = this.#plan
    if (bound === null || (bound.feed === feed && bound.channel === channel)) return
    this.#refuse(`${bound.channel} of a ${bound.feed} feed`, `${channel} of a ${feed} feed`)
  }

  async #bind(buffer: ChangeBuffer<Change>, owner: string): Promise<void> {
    const { binding } = buffer
    if (binding === null) {
      const { feed } = this.#source
      await buffer.write({ k: 'bound', v: 1, binding: { feed, channel: this.#plan.channel, owner } })
    } else if (binding.owner !== owner) {
      this.#refuse(`the feed of ${binding.owner}`, `that of ${owner}`)
    }
  }

  #refuse(belongsTo: string, wanted: string): never {
    const { name } = this.#options.store
    const message = `${name} belongs to ${belongsTo} and can't be used for ${wanted}: give every channel its own store`
    throw new StoreError('other_channel', message)
  }
}

async function resolveDead<Change extends Identified>(
  buffer: ChangeBuffer<Change>,
  k: 'retried' | 'discarded',
  ids: readonly string[] | undefined,
): Promise<number> {
  const dead = buffer.deadLetters.map(({ change }) => change.id)
  const chosen = ids === undefined ? dead : dead.filter((id) => ids.includes(id))
  for (const id of chosen) await buffer.write({ k, id })
  return chosen.length
}
