import type { AccountKey } from '@sealpost/sdk'
import { closeAccount, type OpenAccount as SessionAccount } from '@sealpost/session/worker'
import type { OpenAccount, PersonContext } from './context.ts'
import { followHints } from './follow-hints.ts'
import { messageStore } from './message-store.ts'
import { ownSealing } from './own-sealing.ts'
import { startOutbox } from './start-outbox.ts'

/** What this app has with an open account, and what runs while it is open. */
export async function completeAccount(
  context: PersonContext,
  account: SessionAccount & Pick<OpenAccount, 'client'>,
  key: AccountKey,
): Promise<OpenAccount> {
  const { client, accountId, ending } = account
  const { signal } = ending
  const own = await ownSealing(key)
  const store = messageStore(context.store.rows(), accountId)
  const outbox = startOutbox(context, { client, own, store, signal })
  signal.addEventListener('abort', () => {
    context.consent = null
  })
  void followHints(context, client, signal, () => {
    // Another device has ended it, or removed this one: nothing that is opened stays on the screen.
    closeAccount(context)
    context.changed('session')
  })
  return { ...account, own, outbox }
}
