import { notices as inGerman } from '../words/de/notices.ts'
import { notices as inEnglish } from '../words/en/notices.ts'

/** What a push message becomes on the screen. */
export type Notice =
  | { readonly act: 'show'; readonly tag: string; readonly text: string; readonly path: string }
  /** What was asked is answered or gone: its notice goes. */
  | { readonly act: 'close'; readonly tag: string }

/** Kinds whose notice goes when another has arrived. */
const CLOSED = new Set(['challenge_closed', 'connect_request_closed', 'document_deleted', 'flow_cancelled'])
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** Null for a message that is none of ours. Only the kind is shown: the message has nothing else, and an id is no text. */
export function noticeOf(message: unknown, language: string): Notice | null {
  if (typeof message !== 'object' || message === null) return null
  const { kind, id }: { readonly kind?: unknown; readonly id?: unknown } = message
  if (typeof kind !== 'string' || typeof id !== 'string' || !UUID.test(id)) return null
  if (CLOSED.has(kind)) return { act: 'close', tag: id }
  const words = language.startsWith('de') ? inGerman : inEnglish
  const text = words.kinds[kind] ?? words.other
  return { act: 'show', tag: id, text, path: pathOf(kind, id) }
}

/** Questions stand on the home page; a sign-in stands over every page. */
function pathOf(kind: string, id: string): string {
  return kind === 'consent_requested' ? `/connections/${id}` : '/'
}
