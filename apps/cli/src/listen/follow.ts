import { randomUUID } from 'node:crypto'
import { type ChangePage, isSealpostError, type ServiceChange, type ServiceClient } from '@sealpost/sdk'
import type { Terminal } from '../terminal.ts'
import { persist } from './persist.ts'

/** Others of the service share its allowance of drains, 120 a minute. */
const POLL_MS = 2000
/** Small, so that a page is through within the hour even when every event waits for a target that is down. */
const PAGE = 20
/** A listener ends after an hour; the platform notes a poll to the minute. */
const LISTENER_MS = 59 * 60_000
/** For so long a page whose answer was lost can be asked for again. */
const ATTEMPT_MS = 5 * 60_000
const MINUTE_MS = 60_000

/** Everything that happens to a service from now on, in order, until the signal is aborted. */
export async function* follow(
  terminal: Terminal,
  client: ServiceClient,
  listener: string,
  signal: AbortSignal,
): AsyncGenerator<ServiceChange, void, undefined> {
  let heardAt: number | null = null
  for (;;) {
    const page = await readPage(terminal, client, listener, signal)
    const now = terminal.clock.now()
    if (heardAt === null) terminal.tell('ready')
    else remarkOnGap(terminal, now - heardAt)
    heardAt = now
    yield* page.changes
    // The wait for the target was none for the platform: what is left of the hour counts from the poll.
    if (!page.has_more) await terminal.wait(POLL_MS, signal)
  }
}

/** The same name until an answer is here: what was lost on the way comes again. */
async function readPage(
  terminal: Terminal,
  client: ServiceClient,
  listener: string,
  signal: AbortSignal,
): Promise<ChangePage<ServiceChange>> {
  let attemptId = randomUUID()
  return persist(terminal, signal, async () => {
    try {
      return await client.changes.read(attemptId, { listener, limit: PAGE, signal })
    } catch (error) {
      // The channel that the page was taken from is no more, so nothing of it is left to ask for.
      if (isSealpostError(error, 'company_data.attempt_invalid')) attemptId = randomUUID()
      throw error
    }
  })
}

function remarkOnGap(terminal: Terminal, gapMs: number): void {
  const minutes = Math.round(gapMs / MINUTE_MS)
  if (gapMs > LISTENER_MS) {
    terminal.tell(
      `note: nothing was asked for ${minutes} minutes; a listener ends after an hour, so events of that time are NOT shown`,
    )
  } else if (gapMs > ATTEMPT_MS) {
    terminal.tell(
      `note: back after ${minutes} minutes; what happened meanwhile follows, except events that were on their way when the line broke`,
    )
  }
}
