import { instant } from '@sealpost/kernel'
import { discardObjects } from '../../../vault/index.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { forgettable } from '../rules/requests.ts'
import { deleteOldRequests } from '../store/requests.ts'
import { releaseExpiredFiles } from '../store/slots.ts'
import { deleteOldTakenFiles } from '../store/taken-files.ts'
import { dueAfterReaders } from './end.ts'
import { TAKEN_FOR_MS } from './take-file.ts'

const AT_ONCE = 500

/** Files whose time is over, files that no connection was opened with, requests that nobody asks about any more. */
export async function tidyServiceSide({ database, clock }: ServiceSideNeeds): Promise<void> {
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
    await deleteOldRequests(tx, forgettable(now))
  })
}
