import type { Clock } from '@sealpost/kernel'

/** The environment and the side effects of a command. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Relative paths are resolved against it. */
  readonly folder: string
  readonly homeFolder: string
  /** Prints a result to standard output. */
  readonly print: (line: string) => void
  /** Prints a note, warning or error to standard error. */
  readonly log: (line: string) => void
  /** A wall clock, which advances while the machine sleeps. */
  readonly clock: Clock
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Handles Ctrl-C from now on by aborting the signal; without this call, Ctrl-C kills the process. */
  readonly untilInterrupted: () => AbortSignal
  /** A user sits at the terminal and can be asked. */
  readonly isInteractive: boolean
  /** Asks on standard error and returns the typed line; empty after Ctrl-C or at the end of the input. */
  readonly ask: (question: string) => Promise<string>
  /** Opens an address in the user's browser; false where that is not possible. */
  readonly openBrowser: (url: string) => Promise<boolean>
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A failure that the user can fix: exit code 1. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** Each on a line of its own; a line feed in a message makes none, because messages repeat texts of others. */
  readonly details: readonly string[]

  constructor(message: string, details: readonly string[] = []) {
    super(message)
    this.details = details
  }
}
