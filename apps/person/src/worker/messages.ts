import type { Failure } from '@sealpost/ui/failure'
import type { commands } from './commands/index.ts'
import type { PersonContext, Topic } from './context.ts'

/** The commands of the worker as pages see them: without the context. */
export type Commands = typeof commands
export type CommandName = keyof Commands
type Handler<Name extends CommandName> = Commands[Name] extends (
  context: PersonContext,
  ...input: infer Input
) => Promise<infer Output>
  ? { readonly input: Input; readonly output: Output }
  : never
export type InputOf<Name extends CommandName> = Handler<Name>['input']
export type OutputOf<Name extends CommandName> = Handler<Name>['output']

export interface Request {
  readonly id: number
  readonly name: CommandName
  readonly input: readonly unknown[]
}

export type Outcome = { readonly value: unknown } | { readonly failure: Failure }

export type Answer =
  | ({ readonly id: number } & Outcome)
  | { readonly changed: readonly Topic[] }
  /** The first message: the worker is ready for its settings. */
  | { readonly ready: true }

export interface Settings {
  readonly frontDoorUrl: string
}
