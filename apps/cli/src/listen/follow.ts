import { randomUUID } from 'node:crypto'
import { type ChangePage, isSealpostError, type ServiceChange, type ServiceClient } from '@sealpost/sdk'
import type { Terminal } from '../terminal.ts'
import { persist } from './persist.ts'

/** All clients of the service share 120 drains a minute. */
const POLL_MS = 2000
/** Small, so that a page is done within the hour even when every event waits for a target that is down. */
const PAGE = 20
/** A listener ends after an hour; the platform records polls to the minute. */
const LISTENER_MS = 59 * 60_000
/** A page whose answer was lost can be read again for this long. */
const ATTEMPT_MS = 5 * 60_000
const MINUTE_MS = 60_000

/** All events of a service from now on, in order, until the signal is aborted. */
export async function* follow(
  terminal: Terminal,
  client: ServiceClient,
  listener: string,
  signal: AbortSignal,
): AsyncGenerator<ServiceChange, void, undefined> {
  let polledAt: number | null = null
  for (;;) {
    const page = await readPage(terminal, client, listener, signal)
    const now = terminal.clock.now()
    if (polledAt === null) terminal.log('ready')
    else reportGap(terminal, now - polledAt)
    polledAt = now
    yield* page.changes
    if (!page.has_more) await terminal.wait(POLL_MS, signal)
  }
}

/** Repeats one attempt id until an answer arrives, so that a lost page comes again. */
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
      // The channel of this attempt has ended: start a new attempt.
      if (isSealpostError(error, 'company_data.attempt_invalid')) attemptId = randomUUID()
      throw error
    }
  })
}

function reportGap(terminal: Terminal, gapMs: number): void {
  const minutes = Math.round(gapMs / MINUTE_MS)
  if (gapMs > LISTENER_MS) {
    terminal.log(
      `note: no poll for ${minutes} minutes; a listener ends after an hour, so events of that time are NOT shown`,
    )
  } else if (gapMs > ATTEMPT_MS) {
    terminal.log(
      `note: back after ${minutes} minutes; the events since then follow, except those of a page that was lost in transit`,
    )
  }
}
