import type { Read } from '../reads/reads.ts'
import { useCommandRead } from '../reads/use-read.ts'
import type { CommandName, CommandTable, InputOf, OutputOf } from './messages.ts'
import { ask } from './worker-link.ts'

/** How pages use the commands of a table. */
export interface CommandsOf<Table extends CommandTable, Topic extends string> {
  /** A refusal is thrown as a `FailureError`. */
  readonly call: <Name extends CommandName<Table>>(
    name: Name,
    ...input: InputOf<Table, Name>
  ) => Promise<OutputOf<Table, Name>>
  /** Reads by a command, and again when the worker says that the topic has changed. */
  readonly useRead: <Name extends CommandName<Table>>(
    name: Name,
    topic: Topic,
    ...input: InputOf<Table, Name>
  ) => Read<OutputOf<Table, Name>>
}

/** The worker of the app must have the commands of the table: an app declares its own so that it `satisfies` each part. */
export function commandsOf<Table extends CommandTable, Topic extends string>(): CommandsOf<Table, Topic> {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker answers with what the command of this name has returned
    call: (name, ...input) => ask(name, input) as Promise<OutputOf<Table, typeof name>>,
    useRead: (name, topic, ...input) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the read of a command has what the command of this name returns
      useCommandRead(name, topic, input) as Read<OutputOf<Table, typeof name>>,
  }
}
