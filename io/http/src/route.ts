import type { Readable } from 'node:stream'
import type { Operation } from '@sealpost/protocol'
import type { Static, TObject, TSchema } from 'typebox'
import type { Answer, BrowserAnswer } from './answer.ts'
import type { Call } from './gates.ts'
import type { ListAnswer } from './list-answer.ts'
import type { StreamAnswer } from './stream-answer.ts'

type MaybePromise<T> = T | Promise<T>

/**
 * How an app answers an operation. The types follow from the operation: a body it does not declare does not compile.
 */
export interface Route<Op extends Operation, Caller, Located> {
  readonly operation: Op
  /**
   * Finds the resource of the path for this caller; throws the operation's 404 otherwise. Runs before the body is read,
   * so another company's id answers the same whatever was sent.
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
}

export type Output<Op extends Operation> =
  | (Op['success'] extends { readonly streams: true } ? StreamAnswer : never)
  | OutputBody<Op['success']>
  | Answer<OutputBody<Op['success']>>
  | ListAnswer<OutputBody<Op['success']>>
  | (Op['success'] extends { readonly browser: true } ? BrowserAnswer : never)

type OutputBody<Success> = Success extends { readonly body: infer Body extends TSchema }
  ? StaticOf<Body>
  : Success extends { readonly mediaType: string }
    ? string | Buffer | Readable
    : undefined

/**
 * A general schema type maps to unknown: `Static` of any schema makes the compiler expand every schema kind, a second
 * of work at every use, for a result without information.
 */
type StaticOf<Schema> = TObject extends Schema ? unknown : Schema extends TSchema ? Static<Schema> : undefined
type CallerOf<Op extends Operation, Caller> = Op['callers'] extends readonly [] ? null : Caller
