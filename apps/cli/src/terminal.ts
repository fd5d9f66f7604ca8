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
}

/** Wrong usage: told with a pointer to the help, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something that the user can put right: told as it is, exit code 1. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
