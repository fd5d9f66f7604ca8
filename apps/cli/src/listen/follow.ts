import { randomUUID } from 'node:crypto'
import { type ChangePage, isSealpostError, type ServiceChange, type ServiceClient } from '@sealpost/sdk'
import { fileStore } from '@sealpost/sdk/file-store'
import { CliError, type Terminal } from '../terminal.ts'
import { persist } from './persist.ts'

/** All clients of the service share 120 drains a minute. */
const POLL_MS = 2000
/** Small, so that a page is done within the hour even when every event waits for a target that is down. */
const PAGE = 20
/** More than one page; a repeated page is the only source of duplicates. */
const REMEMBERED_IDS = 1000
/** A listener ends after an hour; the platform records polls to the minute. */
const LISTENER_MS = 59 * 60_000
/** A page whose answer was lost can be read again for this long. */
const ATTEMPT_MS = 5 * 60_000
const MINUTE_MS = 60_000

export interface Following {
  readonly terminal: Terminal
  readonly client: ServiceClient
  readonly listener: string
  readonly signal: AbortSignal
}

/** All events of a service from now on, in order, until the signal is aborted. */
export async function* follow({
  terminal,
  client,
  listener,
  signal,
}: Following): AsyncGenerator<ServiceChange, void, undefined> {
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

/**
 * The same, but events are kept in the folder until they were taken: a process that was killed goes on with them, and may
 * take the one again that it was at.
 */
export async function followWithStore(
  { terminal, client, listener, signal }: Following,
  folder: string,
  take: (event: ServiceChange) => Promise<void>,
): Promise<void> {
  let brokeOffAt: number | null = null
  const goOn = (): void => {
    if (brokeOffAt !== null) reportGap(terminal, terminal.clock.now() - brokeOffAt)
    brokeOffAt = null
  }
  const pump = client.changes.pump({
    store: fileStore(folder),
    listener,
    limit: PAGE,
    rememberIds: REMEMBERED_IDS,
    maxFailures: 1,
    signal,
    async handle(event) {
      goOn()
      await take(event)
    },
    onDeadLetter: ({ change, error }) => terminal.log(`${change.event} ${change.id} was not posted: ${error.message}`),
  })
  const drain = async (): Promise<void> => {
    try {
      await pump.run()
      goOn()
    } catch (error) {
      throw isFileError(error) ? new CliError(`cannot use the store ${folder}: ${error.message}`) : error
    } finally {
      brokeOffAt ??= terminal.clock.now()
    }
  }
  for (let isFirst = true; ; isFirst = false) {
    await persist(terminal, signal, drain)
    signal.throwIfAborted()
    if (isFirst) terminal.log('ready')
    await terminal.wait(POLL_MS, signal)
  }
}

/** A full disk, for example, or a folder of another user. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
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
