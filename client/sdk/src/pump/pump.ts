import { ChangeBuffer, stateOf } from './buffer.ts'
import type { Binding, DeadLetter, Identified } from './journal.ts'
import { type PumpOptions, type PumpPlan, type PumpResult, planOf } from './pump-options.ts'
import type { PumpSource } from './pump-source.ts'
import { type PumpRun, pumpChanges } from './run.ts'
import { StoreError } from './store-error.ts'

/**
 * Takes changes from the feed and loses none when the process dies, at whatever instant. [Note: written before] The name
 * of a page is written down before it is asked for, so that a page whose answer was never seen is asked for again; the
 * page is written down before it is handled; a change leaves the store after its handler resolved. So a change can be
 * handled twice, always with the same `id`, and the first times are in the order of the feed.
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

  /** Until the feed is empty, or with `follow` until the signal is aborted. Run it again to go on where it ended. */
  async run(): Promise<PumpResult> {
    return this.#withBuffer(async (buffer) => {
      this.#demandChannel(buffer.binding)
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

  /** What was given up, oldest first; also while it runs, here or in another process. */
  async deadLetters(): Promise<readonly DeadLetter<Change>[]> {
    if (this.#open !== null) return this.#open.deadLetters
    const { store } = this.#options
    return [...stateOf<Change>(store, await store.read()).dead.values()]
  }

  /** Puts dead letters back at the end of what waits, with a clean record: those of these event ids, or all. */
  retry(ids?: readonly string[]): Promise<number> {
    return this.#settleDead('retried', ids)
  }

  /** Forgets dead letters: those of these event ids, or all. */
  discard(ids?: readonly string[]): Promise<number> {
    return this.#settleDead('discarded', ids)
  }

  async #settleDead(k: 'retried' | 'discarded', ids: readonly string[] | undefined): Promise<number> {
    if (this.#open === null) {
      return this.#withBuffer((buffer) => {
        this.#demandChannel(buffer.binding)
        return settleDead(buffer, k, ids)
      })
    }
    return settleDead(this.#open, k, ids)
  }

  async #withBuffer<T>(use: (buffer: ChangeBuffer<Change>) => Promise<T>): Promise<T> {
    const buffer = await ChangeBuffer.open<Change>(this.#options.store, this.#plan.rememberIds)
    try {
      return await use(buffer)
    } finally {
      await buffer.close()
    }
  }

  #demandChannel(bound: Binding | null): void {
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

async function settleDead<Change extends Identified>(
  buffer: ChangeBuffer<Change>,
  k: 'retried' | 'discarded',
  ids: readonly string[] | undefined,
): Promise<number> {
  const dead = buffer.deadLetters.map(({ change }) => change.id)
  const chosen = ids === undefined ? dead : dead.filter((id) => ids.includes(id))
  for (const id of chosen) await buffer.write({ k, id })
  return chosen.length
}
