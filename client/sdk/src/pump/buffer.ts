import {
  applyRecord,
  type Binding,
  type DeadLetter,
  type Identified,
  isDurable,
  type JournalRecord,
  type PumpAttempt,
  type PumpState,
  readState,
  recordsOf,
  type Waiting,
} from './journal.ts'
import type { LineStore, StoreHold } from './line-store.ts'
import { StoreError } from './store-error.ts'

/** The journal is compacted when it exceeds its compact size by this much. */
const SLACK_CHARACTERS = 1_000_000

/** A held store and its state. A record is written before it changes the state. */
export class ChangeBuffer<Change extends Identified> {
  readonly #hold: StoreHold
  readonly #state: PumpState<Change>
  readonly #rememberIds: number
  /** Serializes the writes of the run and of concurrent `retry` and `discard` calls. */
  #last: Promise<void> = Promise.resolve()
  #grown = 0
  #size = 0

  private constructor(hold: StoreHold, state: PumpState<Change>, rememberIds: number) {
    this.#hold = hold
    this.#state = state
    this.#rememberIds = rememberIds
  }

  static async open<Opened extends Identified>(store: LineStore, rememberIds: number): Promise<ChangeBuffer<Opened>> {
    const taken = await store.acquire()
    if ('heldBy' in taken) {
      throw new StoreError('in_use', `${store.name} is in use by ${taken.heldBy}: give every pump a store of its own`)
    }
    try {
      const state = stateOf<Opened>(store, await store.read())
      const buffer = new ChangeBuffer(taken.hold, state, rememberIds)
      // Removes a torn last line before another line is appended to it.
      await buffer.#compact()
      return buffer
    } catch (error) {
      await taken.hold.release()
      throw error
    }
  }

  get binding(): Binding | null {
    return this.#state.binding
  }

  get attempt(): PumpAttempt | null {
    return this.#state.attempt
  }

  get deadLetters(): readonly DeadLetter<Change>[] {
    return [...this.#state.dead.values()]
  }

  first(): Waiting<Change> | null {
    const [entry] = this.#state.waiting.values()
    return entry ?? null
  }

  isKnown(id: string): boolean {
    return this.#state.known.has(id)
  }

  write(record: JournalRecord<Change>): Promise<void> {
    const written = this.#last.then(() => this.#write(record))
    this.#last = written.catch(() => {})
    return written
  }

  async close(): Promise<void> {
    await this.#last
    await this.#hold.release()
  }

  async #write(record: JournalRecord<Change>): Promise<void> {
    const line = JSON.stringify(record)
    await this.#hold.append(line, isDurable(record))
    applyRecord(this.#state, record)
    this.#forgetOldIds()
    this.#grown += line.length
    if (this.#grown > this.#size + SLACK_CHARACTERS) await this.#compact()
  }

  async #compact(): Promise<void> {
    this.#forgetOldIds()
    const lines = recordsOf(this.#state).map((record) => JSON.stringify(record))
    await this.#hold.replace(lines)
    this.#grown = 0
    this.#size = lines.reduce((sum, line) => sum + line.length, 0)
  }

  #forgetOldIds(): void {
    const { known } = this.#state
    for (const id of known) {
      if (known.size <= this.#rememberIds) return
      known.delete(id)
    }
  }
}

/** The state of a store, also while another process holds it. */
export function stateOf<Change extends Identified>(store: LineStore, lines: readonly string[]): PumpState<Change> {
  const state = readState<Change>(lines)
  if (state !== null) return state
  throw new StoreError(
    'damaged',
    `${store.name} has an unreadable line before readable ones: another program has changed it. ` +
      'Move it away, start with an empty store, and read all connections again',
  )
}
