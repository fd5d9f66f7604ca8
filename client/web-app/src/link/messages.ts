import type { Failure } from '@sealpost/ui/failure'

/** Everything that pages can ask of a worker, by name. Each command takes the context of the app first. */
export type CommandTable = Readonly<Record<string, (context: never, ...input: never[]) => Promise<unknown>>>

export type CommandName<Table> = keyof Table & string

export type InputOf<Table, Name extends keyof Table> = Table[Name] extends (
  context: never,
  ...input: infer Input
) => Promise<unknown>
  ? Input
  : never

export type OutputOf<Table, Name extends keyof Table> = Table[Name] extends (
  context: never,
  ...input: never[]
) => Promise<infer Output>
  ? Output
  : never

export interface Request {
  readonly id: number
  readonly name: string
  readonly input: readonly unknown[]
}

export type Outcome = { readonly value: unknown } | { readonly failure: Failure }

export type Answer =
  | ({ readonly id: number } & Outcome)
  /** What pages must read again. */
  | { readonly changed: readonly string[] }
  /** The first message: the worker is ready for its settings. */
  | { readonly ready: true }

export interface Settings {
  readonly frontDoorUrl: string
}
