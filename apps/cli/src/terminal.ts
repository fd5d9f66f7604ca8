import type { Clock } from '@sealpost/kernel'

/** What a command sees of the world around it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Relative paths begin here. */
  readonly folder: string
  readonly homeFolder: string
  /** Results. */
  readonly print: (line: string) => void
  /** Everything else: notes, warnings, errors. */
  readonly tell: (line: string) => void
  /** Of the wall, so that it goes on while the machine sleeps. */
  readonly clock: Clock
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Aborted by Ctrl-C from now on; for a command that runs until then. Others end without being asked. */
  readonly untilInterrupted: () => AbortSignal
}

/** Wrong usage: told with a pointer to the help, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something that the user can put right: told as it is, exit code 1. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
