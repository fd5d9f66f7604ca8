import type { Readable } from 'node:stream'
import type { Tx } from '@sealpost/postgres'
import type { Operation } from '@sealpost/protocol'
import type { Static, TObject, TSchema } from 'typebox'
import type { Answer, BrowserAnswer } from './answer.ts'
import type { Call } from './gates.ts'

type MaybePromise<T> = T | Promise<T>

/** How an app answers an operation. The types follow from the operation: a body it does not promise does not compile. */
export interface Route<Op extends Operation, Caller, Located> {
  readonly operation: Op
  /**
   * Finds what the path names, for this caller; throws the operation's 404 otherwise. It runs before the body is looked
   * at, so a stranger's id answers alike whatever was sent along.
   */
  readonly locate?: (question: Question<NoInfer<Op>, Caller>) => MaybePromise<Located>
  readonly handle: (input: Input<NoInfer<Op>, Caller, Located>) => MaybePromise<Output<NoInfer<Op>>>
}

export interface Question<Op extends Operation, Caller> {
  readonly call: Call
  readonly caller: CallerOf<Op, Caller>
  readonly params: StaticOf<Op['params']>
}

export interface Input<Op extends Operation, Caller, Located> extends Question<Op, Caller> {
  readonly located: Located
  readonly query: StaticOf<Op['query']>
  readonly body: StaticOf<Op['body']>
  /** Keeps the answer for the caller's Idempotency-Key in the transaction that does the work. See [Note: idempotency]. */
  readonly storeAnswer: (tx: Tx, answer: Output<Op>) => Promise<void>
}

export type Output<Op extends Operation> =
  | OutputBody<Op['success']>
  | Answer<OutputBody<Op['success']>>
  | (Op['success'] extends { readonly browser: true } ? BrowserAnswer : never)

type OutputBody<Success> = Success extends { readonly body: infer Body extends TSchema }
  ? StaticOf<Body>
  : Success extends { readonly mediaType: string }
    ? string | Buffer | Readable
    : undefined

/**
 * [Note: wide schemas are unknown] `Static` of no schema in particular makes the compiler walk through every kind that
 * there is, a second of work wherever it happens; and the answer would be of no use.
 */
type StaticOf<Schema> = TObject extends Schema ? unknown : Schema extends TSchema ? Static<Schema> : undefined
type CallerOf<Op extends Operation, Caller> = Op['callers'] extends readonly [] ? null : Caller
