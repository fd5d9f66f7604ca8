import { announceSlowCall, installSlowGuard } from '@sealpost/kernel'
import { runStatement, TransactionAbortedError, type Tx, guardTransactions } from '@sealpost/postgres'
import { expect, test, afterEach } from 'vitest'
import { readNotes, type Site, writeNote } from './site.ts'

/** All or nothing, and what hangs on the commit. */
export function describeTransactions(site: () => Site): void {
  test('is rolled back when its work throws, and the error comes out as it is', async () => {
    const thrown = new Error('changed my mind')
    const work = site().database.transaction(async (tx) => {
      await writeNote(tx, 1, 'never')
      throw thrown
    })
    await expect(work).rejects.toBe(thrown)
    expect(await site().database.read(readNotes)).toEqual([])
  })

  test('runs what waits for its commit once, and only when the rows are there', async () => {
    let calls = 0
    await site().database.transaction(async (tx) => {
      tx.afterCommit(() => (calls += 1))
      await writeNote(tx, 1, 'kept')
      expect(calls).toBe(0)
    })
    expect(calls).toBe(1)
    expect(await site().database.read(readNotes)).toEqual(['kept'])
  })

  test('forgets what waits for its commit when it is rolled back', async () => {
    let calls = 0
    const work = site().database.transaction(async (tx) => {
      tx.afterCommit(() => (calls += 1))
      await runStatement(tx, 'select 1 / 0', [])
    })
    await expect(work).rejects.toThrow('division by zero')
    expect(calls).toBe(0)
  })

  test('stays committed when what waited for it throws', async () => {
    const reported: string[] = []
    const other = site().open({ onBackgroundError: (error) => reported.push(error.message) })
    await other.transaction(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('no listener to wake')
      })
      await writeNote(tx, 1, 'kept')
    })
    await other.close()
    expect(reported).toEqual(['no listener to wake'])
    expect(await site().database.read(readNotes)).toEqual(['kept'])
  })

  test('that ignores a failed statement is an error, not a silent rollback', async () => {
    const work = site().database.transaction(async (tx) => {
      await writeNote(tx, 1, 'lost')
      await runStatement(tx, 'select 1 / 0', []).catch(() => {})
    })
    await expect(work).rejects.toBeInstanceOf(TransactionAbortedError)
  })

  test('cannot be used once it has ended', async () => {
    const leaked: Tx[] = []
    await site().database.transaction(async (tx) => void leaked.push(tx))
    for (const tx of leaked) {
      await expect(writeNote(tx, 1, 'late')).rejects.toThrow('has ended')
      expect(() => tx.afterCommit(() => {})).toThrow('has ended')
    }
  })
}

/** The guard that tests switch on. See [Note: nothing slow inside a transaction]. */
export function describeGuard(site: () => Site): void {
  afterEach(() => installSlowGuard(null))

  test('throws for a slow act, a second transaction and a second connection inside a transaction, nowhere else', async () => {
    guardTransactions()
    announceSlowCall('an HTTP call')
    const inside = (act: () => unknown) => site().database.transaction(async () => void (await act()))
    await expect(inside(() => announceSlowCall('an HTTP call'))).rejects.toThrow('an HTTP call inside a transaction')
    await expect(inside(() => site().database.transaction(async () => {}))).rejects.toThrow('inside a transaction')
    await expect(inside(() => site().database.read(readNotes))).rejects.toThrow('inside a transaction')
    await site().database.transaction(async (tx) => tx.afterCommit(() => announceSlowCall('a wake-up')))
  })
}
