import type { PersonContext } from './context.ts'
import { openOutbox, type Outbox, type OutboxUses } from './outbox.ts'

/** Between attempts while the platform cannot be reached; the browser also says when there is a network again. */
const AGAIN_MS = 15_000

/** Opens the outbox of an account and sends what an earlier run has left, until the signal ends it. */
export function startOutbox(
  { changed }: Pick<PersonContext, 'changed'>,
  uses: Omit<OutboxUses, 'changed' | 'again'>,
): Outbox {
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void =>
    void outbox.flush().catch((error: unknown) => {
      // The account has left this device while a message was on its way.
      if (!uses.signal.aborted) throw error
    })
  const outbox = openOutbox({
    ...uses,
    changed,
    again() {
      clearTimeout(timer)
      if (!uses.signal.aborted) timer = setTimeout(flush, AGAIN_MS)
    },
  })
  globalThis.addEventListener('online', flush, { signal: uses.signal })
  uses.signal.addEventListener('abort', () => clearTimeout(timer))
  flush()
  return outbox
}
