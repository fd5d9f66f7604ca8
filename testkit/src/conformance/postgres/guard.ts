import { announceSlowCall, installSlowGuard } from '@sealpost/kernel'
import { guardTransactions } from '@sealpost/postgres'
import { afterEach, expect, test } from 'vitest'
import { readNotes, type Site } from './site.ts'

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
