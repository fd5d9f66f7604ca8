import { isSealpostError, NetworkError, UnexpectedAnswerError } from '../errors.ts'
import type { Wire } from '../wire.ts'
import { createEventReader, type ReceivedEvent } from './event-reader.ts'
import type { CustomerSession } from './session.ts'

/** What changed, and whose id comes with it; a newer platform may send further kinds, which an app ignores. */
export type HintKind =
  | 'challenge_raised'
  | 'challenge_closed'
  | 'connection_created'
  | 'connection_deleted'
  | 'connect_request_received'
  | 'connect_request_closed'
  | 'document_created'
  | 'document_updated'
  | 'document_status_changed'
  | 'document_deleted'
  | 'message_received'
  | 'message_sent'
  | 'messages_read'
  | 'consent_requested'
  | 'flow_run_turn'
  | 'flow_completed'
  | 'flow_cancelled'
  | 'value_changed'
  | 'answers_changed'

/** A change to read again. `reread`: hints were lost, so read everything again. */
export type Hint =
  | { readonly kind: HintKind; readonly id: string; readonly position: string }
  | { readonly kind: 'reread'; readonly id: null; readonly position: string }

export interface HintOptions {
  /** Ends the iteration: it throws the reason of the signal. */
  readonly signal?: AbortSignal
  /** The `position` of the last hint that was handled, also by an earlier run; from now on if absent. */
  readonly after?: string
}

const PATH = '/api/customer/stream'
const FIRST_WAIT_MS = 3000
const LONGEST_WAIT_MS = 60_000

interface Line {
  position: string | undefined
  waitMs: number
  failures: number
}

/** Follows the stream for ever: reconnects after every end and continues where it stopped. */
export async function* followHints(
  session: CustomerSession,
  wire: Wire,
  { signal, after }: HintOptions,
): AsyncGenerator<Hint, void, undefined> {
  const line: Line = { position: after, waitMs: FIRST_WAIT_MS, failures: 0 }
  for (;;) {
    try {
      for await (const event of readEvents(session, line.position, signal)) {
        line.failures = 0
        line.position = event.id ?? line.position
        line.waitMs = event.retryMs ?? line.waitMs
        const hint = hintOf(event, line.position)
        if (hint !== null) yield hint
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      line.failures += 1
    }
    await wire.wait(waitOf(line), signal)
  }
}

async function* readEvents(
  session: CustomerSession,
  position: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  const headers = { accept: 'text/event-stream', ...(position === undefined ? {} : { 'last-event-id': position }) }
  const answer = await session.readStream(
    (apiUrl) => `${apiUrl}${PATH}`,
    signal,
    async (streamed) => streamed,
    headers,
  )
  const { status, requestId } = answer
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const message = `GET ${PATH} was not answered with a stream of events`
    throw new UnexpectedAnswerError(message, { status, requestId, retryAfterSeconds: undefined })
  }
  const events = createEventReader()
  const decoder = new TextDecoder()
  const reader = answer.body.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield* events.push(decoder.decode(value, { stream: true }))
    }
  } finally {
    // The consumer may have left in the middle: the connection ends with it.
    await reader.cancel().catch(() => {})
  }
}

function hintOf({ event, data = '' }: ReceivedEvent, position = ''): Hint | null {
  if (event === 'reread') return { kind: 'reread', id: null, position }
  if (event !== 'hint') return null
  const members: unknown = JSON.parse(data)
  if (typeof members !== 'object' || members === null || !('kind' in members) || !('id' in members)) return null
  const { kind, id } = members
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a kind of a newer platform passes; `HintKind` says so
  return typeof kind === 'string' && typeof id === 'string' ? { kind: kind as HintKind, id, position } : null
}

/** A refusal of the caller is final; everything else may pass. */
function isPassing(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  return (
    (isSealpostError(error) || error instanceof UnexpectedAnswerError) && (error.status >= 500 || error.status === 429)
  )
}

/** Not exactly: many readers that lost their server at once come back at different times. */
function waitOf({ waitMs, failures }: Line): number {
  const [share = 0] = crypto.getRandomValues(new Uint8Array(1))
  const longest = failures === 0 ? waitMs : Math.min(waitMs * 2 ** (failures - 1), LONGEST_WAIT_MS)
  return failures === 0 ? longest : longest * (0.5 + share / 512)
}
