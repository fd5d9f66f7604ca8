import type { Tx } from '@sealpost/postgres'
import type { Party } from './parties.ts'

/** Bodies above this go as an attachment; the same limit holds for asks and their answers. */
export const INLINE_BODY_BYTES = 256 * 1024

/** Turns what came over the wire into what the handler takes; throws when it is not that. */
export type Parse<T> = (value: unknown) => T

/** One kind of tell, declared once and used by both sides. */
export interface TellContract<Body> {
  /** Module and happening: `connections.ended`. */
  readonly kind: string
  readonly version: number
  readonly parse: Parse<Body>
  /** Reads the version before this one. While two versions are rolled out region by region, both are on the wire. */
  readonly parsePrevious?: Parse<Body>
}

/**
 * One command that a party answers. `stored`: the outcome is kept for ten minutes under the ask's id, written in the
 * same transaction as the effect, so that asking again finds it. `none`: a read, run every time.
 */
export interface AskContract<Body, Reply> {
  readonly command: string
  readonly idempotency: 'none' | 'stored'
  /** For an effect that an operator's pause leaves alone: what proves who somebody is goes on. */
  readonly worksWhilePaused?: boolean
  /** How long the asker waits; 3000 unless the command is known to take longer. */
  readonly timeoutMs?: number
  readonly parse: Parse<Body>
  readonly parseReply: Parse<Reply>
}

/** A file in the sender's object store that is too large to travel inside a tell. */
export interface Attachment {
  readonly objectKey: string
  /** Lower-case hex. */
  readonly sha256: string
  readonly bytes: number
}

/** The object store, as far as the bus needs it. */
export interface Attachments {
  /** A link that a stranger can read the object with for a few minutes. */
  presign(objectKey: string): Promise<string>
  /**
   * Copies what the link shows into the own store, refusing other bytes than `sha256`; answers its own object key. A copy
   * that no transaction keeps, because its process died say, is removed by whoever owns the store.
   */
  copyIn(url: string, sha256: string): Promise<string>
  /** In the transaction that applies the tell; throws when the copy is being removed, and then a new one is made. */
  keep(tx: Tx, objectKey: string): Promise<void>
  /** Removing what is already gone is no error. */
  remove(objectKey: string): Promise<void>
}

export interface Tell<Body> {
  readonly to: Party
  /** The order key: a connection, else an account or client. Tells of one key arrive in the order of their commits. */
  readonly key: string
  readonly body: Body
  readonly attachment?: Attachment
}

export interface ToldMessage<Body> {
  readonly from: Party
  readonly key: string
  /** The same for every repetition of this tell. */
  readonly id: string
  readonly body: Body
  /** In the receiver's own object store. */
  readonly attachment: Attachment | null
}

/** Runs in the transaction that moves the inbox's cursor: its writes happen exactly once. */
export type TellHandler<Body> = (tx: Tx, message: ToldMessage<Body>) => Promise<void>

export interface Ask<Body> {
  readonly to: Party
  readonly body: Body
  /** The same id asks for the same outcome; made up when the command is a read. */
  readonly id?: string
  readonly timeoutMs?: number
}

export interface Asked<Body> {
  readonly from: Party
  readonly id: string
  readonly body: Body
}

export type ReadAskHandler<Body, Reply> = (ask: Asked<Body>) => Promise<Reply>
export type StoredAskHandler<Body, Reply> = (tx: Tx, ask: Asked<Body>) => Promise<Reply>

/**
 * A range of a lane that two databases no longer agree on, after one of them was restored from a backup.
 * `not_received`: we lost what the peer told us, and it no longer keeps it. `forgotten`: the peer has applied what we no
 * longer remember telling. `doubtful`: written after a restore under numbers that the peer had already seen.
 */
export interface Loss {
  readonly peer: Party
  readonly key: string
  readonly incarnation: number
  readonly fromSeq: number
  readonly toSeq: number
  readonly what: 'not_received' | 'forgotten' | 'doubtful'
}

/** Brings a module's rows for `loss.key` back in step with the peer. Runs until it succeeds once. */
export type LossHandler = (tx: Tx, loss: Loss) => Promise<void>
