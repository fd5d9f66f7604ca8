import type { CommandTable, Outcome, Request } from '../link/messages.ts'
import { workerFailure } from './failure-of.ts'

/** Runs a command of the table; its refusal becomes plain data for the page. */
export async function runCommand(commands: CommandTable, context: object, request: Request): Promise<Outcome> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page's `call` has checked the input against the name
    const command = commands[request.name] as
      | ((context: object, ...input: readonly unknown[]) => Promise<unknown>)
      | undefined
    if (command === undefined) throw new Error(`there is no command ${request.name}`)
    return { value: await command(context, ...request.input) }
  } catch (error) {
    return { failure: workerFailure(error) }
  }
}
