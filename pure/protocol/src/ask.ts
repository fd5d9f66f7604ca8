import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'

/** `parties`: regions and the directory. The forwarder may send no ask but its own, and they may not send those. */
export type Askers = 'parties' | 'forwarder'

/** Definition of a command between parties, shared by both ends; `io/bus` carries it. */
export interface AskDefinition<Body, Reply> {
  readonly command: string
  readonly idempotency: 'none' | 'stored'
  readonly worksWhilePaused: boolean
  readonly askedBy: Askers
  parse(value: unknown): Body
  parseReply(value: unknown): Reply
}

interface AskShape<Body extends TSchema, Reply extends TSchema> {
  readonly command: string
  /** `stored`: the ask has an effect and its outcome is kept under the ask's id. `none`: a read. */
  readonly idempotency: 'none' | 'stored'
  /** Set on a `stored` ask that is also answered while writes are paused, for example proving an identity. */
  readonly worksWhilePaused?: boolean
  /** `parties` if absent. */
  readonly askedBy?: Askers
  readonly body: Body
  readonly reply: Reply
}

export function defineAsk<Body extends TSchema, Reply extends TSchema>(
  shape: AskShape<Body, Reply>,
): AskDefinition<Static<Body>, Static<Reply>> {
  return {
    command: shape.command,
    idempotency: shape.idempotency,
    worksWhilePaused: shape.worksWhilePaused ?? false,
    askedBy: shape.askedBy ?? 'parties',
    parse: (value) => parseAs<Body>(shape.body, value, shape.command),
    parseReply: (value) => parseAs<Reply>(shape.reply, value, shape.command),
  }
}

/** Names the member that is wrong, never its value: it may be a credential. */
export function parseAs<Schema extends TSchema>(schema: Schema, value: unknown, command: string): Static<Schema> {
  if (Value.Check(schema, value)) return value
  const [first] = Value.Errors(schema, value)
  throw new Error(`${command}: ${first?.instancePath ?? ''} ${first?.message ?? 'does not have the expected shape'}`)
}
