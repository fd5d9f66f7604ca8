import { AsyncLocalStorage } from 'node:async_hooks'
import { installSlowGuard } from '@sealpost/kernel'

const inside = new AsyncLocalStorage<true>()
let installed = false

/** For tests: from now on a slow call inside a transaction throws. See [Note: nothing slow inside a transaction]. */
export function guardTransactions(): void {
  installed = true
  installSlowGuard((call) => {
    if (inside.getStore() === true) throw new Error(`${call} inside a transaction: write an outbox row instead`)
  })
}

export function enterTransaction<T>(work: () => Promise<T>): Promise<T> {
  return installed ? inside.run(true, work) : work()
}
