import type { Tx } from '@sealpost/postgres'
import type { Party } from './parties.ts'

/** Larger bodies of tells, asks and answers go through the object store of their sender: [Note: bodies over the limit]. */
export const INLINE_BODY_BYTES = 256 * 1024
/**
 * The forwarder has no object store, so asks between it and a region are sent whole. A NATS server takes messages of up
 * to 1 MiB.
 */
export const FORWARDER_BODY_BYTES = 960 * 1024
/** The largest body; as much as the largest body of an HTTP call. */
export const LARGEST_BODY_BYTES = 64 * 1024 * 1024

/** Parses a message body into the handler's input type; throws when it is malformed. */
export type Parse<T> = (value: unknown) => T

/** One kind of tell, declared once and used by both sides. */
export interface TellContract<Body> {
  /** Module and occurrence: `connections.ended`. */
  readonly kind: string
  readonly version: number
  readonly parse: Parse<Body>
  /** Parses the previous version. While a release is rolled out region by region, both versions are on the wire. */
  readonly parsePrevious?: Parse<Body>
}

/**
 * One command that a party answers. `stored`: the outcome is kept for ten minutes under the ask's id, written in the
 * same transaction as the effect, so that a repeated ask finds it. `none`: a read, run every time.
 */
export interface AskContract<Body, Reply> {
  readonly command: string
  readonly idempotency: 'none' | 'stored'
  /** For an effect that continues during an operator's pause, for example proving an identity. */
  readonly worksWhilePaused?: boolean
  /** `parties` if absent: the forwarder may send only asks of its own, and no other party may send those. */
  readonly askedBy?: 'parties' | 'forwarder'
  /** How long the asker waits; 3000 by default. */
  readonly timeoutMs?: number
  readonly parse: Parse<Body>
  readonly parseReply: Parse<Reply>
}

/** A file in the sender's object store that is too large for the body of a tell. */
export interface Attachment {
  readonly objectKey: string
  /** Lower-case hex. */
  readonly sha256: string
  readonly bytes: number
}

/** The parts of an object store that the bus uses. */
export interface Attachments {
  /** A link with which another party can read the object for a few minutes. */
  presign(objectKey: string): Promise<string>
  /** False when the store no longer has the object. */
  has(objectKey: string): Promise<boolean>
  /**
   * Copies the linked bytes into the own store, verifying `sha256`; returns the own object key. The owner of the store
   * deletes copies that no transaction kept, for example after a crash.
   */
  copyIn(url: string, sha256: string): Promise<string>
  /**
   * Runs in the transaction that applies the tell; throws when the copy is being deleted, and then a new one is made.
   */
  keep(tx: Tx, objectKey: string): Promise<void>
  /** Deleting a missing object is no error. */
  remove(objectKey: string): Promise<void>
  /** Stores bytes that nothing will own; the owner of the store deletes them after about an hour. */
  store(bytes: Uint8Array): Promise<string>
  /** Reads the linked bytes, verifying `sha256`. */
  fetch(url: string, expected: { readonly sha256: string; readonly bytes: number }): Promise<Uint8Array>
}

export interface Tell<Body> {
  readonly to: Party
  /**
   * The order key: a connection, otherwise an account or client. Tells of one key arrive in the order of their commits.
   */
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

/** Runs in the transaction that advances the inbox's cursor: its writes happen exactly once. */
export type TellHandler<Body> = (tx: Tx, message: ToldMessage<Body>) => Promise<void>

export interface Ask<Body> {
  readonly to: Party
  readonly body: Body
  /** The same id returns the same outcome; random when the command is a read. */
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
 * A range of a lane on which two databases disagree after one of them was restored from a backup. `not_received`: we
 * lost tells of the peer, and it no longer keeps them. `forgotten`: the peer has applied tells that we no longer know.
 * `doubtful`: written after a restore under numbers that the peer had already seen.
 */
export interface Loss {
  readonly peer: Party
  readonly key: string
  readonly incarnation: number
  readonly fromSeq: number
  readonly toSeq: number
  readonly what: 'not_received' | 'forgotten' | 'doubtful'
}

/** Reconciles a module's rows for `loss.key` with the peer. Retried until it succeeds once. */
export type LossHandler = (tx: Tx, loss: Loss) => Promise<void>
