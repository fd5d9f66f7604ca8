import { instant } from '@sealpost/kernel'
import type { CustomerNeeds } from './needs.ts'
import { advanceFanOuts } from './operations/fan-out.ts'
import { deleteOldOpenings } from './store/connections.ts'
import { deleteLapsedRequests } from './store/requests.ts'

const LOOK_EVERY_MS = 1000
const OPENING_MAX_MS = 7 * 24 * 3_600_000
const AT_ONCE = 1000

export interface CustomerJobs {
  close(): Promise<void>
}

/** Part of the worker role. Several workers share the work by row locks; nothing is begun while writes are paused. */
export function startCustomerJobs(needs: CustomerNeeds, isPaused: () => Promise<boolean>): CustomerJobs {
  let current: Promise<void> = Promise.resolve()
  let isBusy = false
  let isClosed = false

  async function turn(): Promise<void> {
    try {
      if (!(await isPaused())) await advanceFanOuts(needs, () => isClosed)
    } catch (error) {
      needs.log.warn(
        { err: error },
        'news of services could not be passed on to their customers; it is tried again soon',
      )
    } finally {
      isBusy = false
    }
  }

  const timer = setInterval(() => {
    if (isBusy || isClosed) return
    isBusy = true
    current = turn()
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    async close() {
      isClosed = true
      clearInterval(timer)
      await current
    },
  }
}

/** For the upkeep: what nobody has heard of for a week, and requests that have lapsed. */
export async function tidyCustomerSide({ database, clock }: CustomerNeeds): Promise<void> {
  const now = clock.now()
  await database.transaction((tx) => deleteOldOpenings(tx, instant(now - OPENING_MAX_MS), AT_ONCE))
  await database.transaction((tx) => deleteLapsedRequests(tx, now, AT_ONCE))
}
