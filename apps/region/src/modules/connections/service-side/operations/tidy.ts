import { instant } from '@sealpost/kernel'
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
  for (let released = AT_ONCE; released === AT_ONCE;) {
    released = await database.transaction(async (tx) => {
      const keys = await releaseExpiredFiles(tx, now, AT_ONCE)
      if (keys.length > 0) await discardObjects(tx, keys, dueAfterReaders(now))
      return keys.length
    })
  }
  await database.transaction(async (tx) => {
    await deleteOldTakenFiles(tx, instant(now - TAKEN_FOR_MS))
    await deleteOldRequests(tx, forgetBefore(now))
  })
}
