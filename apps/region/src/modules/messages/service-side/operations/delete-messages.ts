import { instant } from '@sealpost/kernel'
import { removeAll } from '../../../../platform/remove-all.ts'
import { lockConnection } from '../../../connections/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ThreadName } from '../model.ts'
import { deleteMessages } from '../store/messages.ts'
import { deleteKeptThreads, markCleared } from '../store/threads.ts'

/** The service's own copies, also of an ended connection; the customer keeps its own. */
export async function clearThread(
  { database, clock }: Pick<ServiceSideContext, 'database' | 'clock'>,
  thread: ThreadName,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockConnection(tx, thread.serviceId, thread.connectionId)
    await deleteMessages(tx, thread)
    await markCleared(tx, thread, clock.now())
  })
}

const DAY_MS = 24 * 3_600_000
const AT_ONCE = 50

/** Chore: messages of connections that ended long ago. */
export async function tidyThreads({ database, clock, settings }: ServiceSideContext): Promise<void> {
  const before = instant(clock.now() - settings.MESSAGES_KEPT_DAYS * DAY_MS)
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteKeptThreads(tx, before, limit)))
}
