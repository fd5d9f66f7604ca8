import { instant } from '@sealpost/kernel'
import { removeAll } from '../../../../platform/remove-all.ts'
import { lockKnown } from '../../../connections/index.ts'
import type { CustomerContext } from '../context.ts'
import type { ReadableThread } from '../model.ts'
import { deleteBroadcastReads, deleteEndedBroadcasts, listBroadcasts, putBroadcastRead } from '../store/broadcasts.ts'
import { deleteMessages } from '../store/messages.ts'
import { deleteKeptThreads, markCleared } from '../store/threads.ts'

/** The customer's own copies, also of an ended connection; the service keeps its own. */
export async function clearThread(
  { database, clock }: Pick<CustomerContext, 'database' | 'clock'>,
  { accountId, connectionId, shown }: ReadableThread,
): Promise<void> {
  const thread = { accountId, connectionId }
  await database.transaction(async (tx) => {
    await lockKnown(tx, { accountId, id: connectionId })
    const now = clock.now()
    await deleteMessages(tx, thread)
    await markCleared(tx, thread, now)
    await deleteBroadcastReads(tx, thread)
    // What is no longer shown waits for no acknowledgement.
    const [newest] = shown === null ? [] : await listBroadcasts(tx, thread, shown, { after: null, offset: 0, limit: 1 })
    if (newest !== undefined) await putBroadcastRead(tx, { accountId, id: connectionId }, newest.id, now)
  })
}

const DAY_MS = 24 * 3_600_000
const AT_ONCE = 50

/** Chore: messages of connections, and broadcasts of services, that ended long ago. */
export async function tidyThreads({ database, clock, settings }: CustomerContext): Promise<void> {
  const before = instant(clock.now() - settings.MESSAGES_KEPT_DAYS * DAY_MS)
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteKeptThreads(tx, before, limit)))
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteEndedBroadcasts(tx, before, limit)))
}
