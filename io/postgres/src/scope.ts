import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient, QueryResultRow } from 'pg'
import { checkResult, type Columns } from './columns.ts'

const held = Symbol('held connection')
const writable = Symbol('writable')

interface Held {
  /** Null once the scope has ended: the connection then serves another caller. */
  client: PoolClient | null
  /** How many more statements are allowed. */
  left: number
}

/** A connection that may only read. Store functions that select take this; a `Tx` is one too. */
export interface Read {
  readonly [held]: Held
}

/** An open transaction. Only `Database.transaction` makes one, so a store function cannot be called outside of it. */
export interface Tx extends Read {
  readonly [writable]: true
  /** Runs once the transaction is durable: wake-ups and other hints, never work that must happen. */
  afterCommit(hint: () => void): void
  /** Once the transaction is durable, wakes all processes that wait for the channel: [Note: wake-ups]. */
  wake(channel: string): void
  /**
   * Stores the answer of the call for its Idempotency-Key in this transaction, so that a repeated call gets it exactly if
   * this one committed. Does nothing for a call without a key, and outside of calls.
   */
  storeAnswer(answer: unknown): Promise<void>
}

/** Keeps the answer of a call in the transaction that does its work; `io/http` has one per Idempotency-Key. */
export type AnswerStore = (tx: Tx, answer: unknown) => Promise<void>

const answerStores = new AsyncLocalStorage<AnswerStore>()

/** `tx.storeAnswer` of every transaction that `run` opens goes to this store. */
export function withAnswerStore<T>(store: AnswerStore, run: () => T): T {
  return answerStores.run(store, run)
}

/**
 * Runs a statement, prepared once per connection. `columns` declares its rows; a statement whose rows are only counted needs
 * none. A bare type parameter is an unchecked cast: see the README for how to replace it.
 */
export function runStatement<Row extends object>(
  scope: Read,
  text: string,
  values: readonly unknown[],
  columns: Columns<Row>,
): Promise<readonly Row[]>
export function runStatement<Row extends QueryResultRow = Record<string, unknown>>(
  scope: Read,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]>
export async function runStatement(
  scope: Read,
  text: string,
  values: readonly unknown[],
  columns?: Columns<object>,
): Promise<readonly object[]> {
  const name = statementName(text)
  const query = { text, values: [...values], ...(name === null ? {} : { name }) }
  const result = await useClient(scope[held]).query<Record<string, unknown>>(query)
  if (columns !== undefined) checkResult(text, columns, result)
  return result.rows
}

export interface OpenRead {
  readonly read: Read
  close(): void
}

export function openRead(client: PoolClient): OpenRead {
  const hold: Held = { client, left: Infinity }
  return { read: { [held]: hold }, close: () => closeHold(hold) }
}

export interface OpenTx {
  readonly tx: Tx
  readonly afterCommit: readonly (() => void)[]
  close(): void
}

export function openTx(client: PoolClient, wake: (channel: string) => void, statements = Infinity): OpenTx {
  const afterCommit: (() => void)[] = []
  const woken = new Set<string>()
  const hold: Held = { client, left: statements }
  const answerStore = answerStores.getStore()
  const tx: Tx = {
    [held]: hold,
    [writable]: true,
    afterCommit(hint) {
      clientOf(hold)
      afterCommit.push(hint)
    },
    wake(channel) {
      if (!woken.has(channel)) tx.afterCommit(() => wake(channel))
      woken.add(channel)
    },
    async storeAnswer(answer) {
      await answerStore?.(tx, answer)
    },
  }
  return { tx, afterCommit, close: () => closeHold(hold) }
}

function useClient(hold: Held): PoolClient {
  if (hold.left === 0) throw new Error('write() allows one statement: open a transaction for several')
  hold.left -= 1
  return clientOf(hold)
}

function clientOf(hold: Held): PoolClient {
  if (hold.client === null) throw new Error('this transaction or read has ended: await every query before it does')
  return hold.client
}

function closeHold(hold: Held): void {
  hold.client = null
}

const LIMIT = 1000
const names = new Map<string, string>()

/**
 * A short, stable name for a statement's text, so that each connection prepares it once. Texts with lists of varying
 * length would fill every backend's memory: above the limit they are not named.
 */
function statementName(text: string): string | null {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= LIMIT) return null
  const name = `s${names.size}`
  names.set(text, name)
  return name
}
