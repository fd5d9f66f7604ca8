import type { Attachment } from './contracts.ts'
import type { LinkedBody } from './large-bodies.ts'

/** A tell between two databases. The body stays text until the handler's parser reads it. */
export interface CarriedTell {
  /** The incarnations of sender and receiver that this was sent between; see [Note: sessions]. */
  readonly fromLife: number
  readonly toLife: number
  readonly key: string
  readonly incarnation: number
  readonly seq: number
  readonly id: string
  readonly previousId: string | null
  /**
   * The sending attempt of this lane: a gap notice echoes it, so that an old notice does not rewind a newer attempt.
   */
  readonly attempt: number
  readonly kind: string
  readonly version: number
  readonly body: string
  /** In place of `body`, which is then empty: [Note: bodies over the limit]. */
  readonly largeBody?: LinkedBody
  readonly attachment: (Attachment & { readonly url: string }) | null
  readonly traceparent: string | null
}

/** The receiver's report about a lane, over plain NATS: the next resend makes up for a lost one. */
export interface Notice {
  readonly key: string
  readonly incarnation: number
  readonly appliedSeq: number
  readonly appliedId: string | null
  /** `applied` reports the cursor; `gap` asks for a resend after it; `failing` asks the sender to wait. */
  readonly outcome: 'applied' | 'gap' | 'failing'
  readonly attempt: number
  readonly retryAfterMs?: number
}

export interface Notices {
  readonly fromLife: number
  readonly toLife: number
  /** The receiver has just (re)started: its unconfirmed messages may be lost. */
  readonly ready?: true
  readonly notices: readonly Notice[]
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** One line of JSON, then the raw body: large bodies are not escaped a second time. */
export function encodeTell({ body, ...envelope }: CarriedTell): Uint8Array {
  return encoder.encode(`${JSON.stringify(envelope)}\n${body}`)
}

export function decodeTell(bytes: Uint8Array): CarriedTell {
  const text = decoder.decode(bytes)
  const end = text.indexOf('\n')
  if (end < 0) throw new Error('a tell has no envelope: is another program publishing on sealpost subjects?')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only our own encodeTell publishes on these subjects
  const envelope = JSON.parse(text.slice(0, end)) as Omit<CarriedTell, 'body'>
  return { ...envelope, body: text.slice(end + 1) }
}

export function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

export function decodeJson(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes))
}

export function decodeNotices(bytes: Uint8Array): Notices {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only our own encodeJson publishes on these subjects
  return decodeJson(bytes) as Notices
}
