import type { StoredHint } from '../../model.ts'

/** How long a reader waits before it connects again after a lost connection. */
const RETRY_MS = 3000

/** The beginning of every stream: from now on a reader that lost the connection has a position to continue from. */
export function openingFrame(position: EventPosition, isMissingHints: boolean): string {
  const reread = isMissingHints ? 'event: reread\ndata: {}\n' : ''
  return `retry: ${RETRY_MS}\nid: ${eventId(position)}\n${reread}\n`
}

export function hintFrame(life: number, { seq, kind, id }: Pick<StoredHint, 'seq' | 'kind' | 'id'>): string {
  return `id: ${eventId({ life, seq })}\nevent: hint\ndata: ${JSON.stringify({ kind, id })}\n\n`
}

/** A comment, so that proxies and the reader see that the connection lives. */
export const HEARTBEAT = ':\n\n'

/** Readers that all lose their server at once come back within `retryMs` each, and not at the same time. */
export function farewellFrame(retryMs: number): string {
  return `retry: ${retryMs}\nevent: reconnect\ndata: {}\n\n`
}

export interface EventPosition {
  readonly life: number
  readonly seq: number
}

const EVENT_ID = /^([1-9][0-9]{0,8})-(0|[1-9][0-9]{0,14})$/

export function eventId({ life, seq }: EventPosition): string {
  return `${life}-${seq}`
}

/** Null for a text that is no event id of ours. */
export function parseEventId(text: string): EventPosition | null {
  const [, life, seq] = EVENT_ID.exec(text) ?? []
  return life === undefined || seq === undefined ? null : { life: Number(life), seq: Number(seq) }
}
