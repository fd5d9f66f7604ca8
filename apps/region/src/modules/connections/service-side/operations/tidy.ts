import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { removeAll } from '../../../../platform/remove-all.ts'
import { discardObjects } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { forgetBefore } from '../rules/requests.ts'
import { deleteOldRequests } from '../store/requests.ts'
import { releaseExpiredFiles } from '../store/slots.ts'
import { deleteOldTakenFiles } from '../store/taken-files.ts'
import { dueAfterReaders } from './end-connection.ts'
import { TAKEN_FOR_MS } from './take-file.ts'

const AT_ONCE = 500

/** Removes expired files, taken files that no connection used, and requests that have no effect any more. */
export async function tidyServiceSide({ database, clock }: ServiceSideContext): Promise<void> {
  const now = clock.now()
  const remove = (some: (tx: Tx, limit: number) => Promise<number>): Promise<number> =>
    removeAll(AT_ONCE, (limit) => database.transaction((tx) => some(tx, limit)))
  await remove(async (tx, limit) => {
    const keys = await releaseExpiredFiles(tx, now, limit)
    if (keys.length > 0) await discardObjects(tx, keys, dueAfterReaders(now))
    return keys.length
  })
  await remove((tx, limit) => deleteOldTakenFiles(tx, instant(now - TAKEN_FOR_MS), limit))
  await remove((tx, limit) => deleteOldRequests(tx, forgetBefore(now), limit))
}
