import type { Region } from '../../region.ts'

/** One command of an operator. `run` answers the line that is printed; a long one reports its progress. */
export interface OperatorCommand {
  /** The arguments: `on|off`. */
  readonly takes: string
  readonly about: string
  run(region: Region, args: readonly string[], report: (line: string) => void): Promise<string>
}

/** Invalid arguments of a command; its usage is printed. */
export class UsageError extends Error {}

export function readOnOff([word, ...rest]: readonly string[]): boolean {
  if ((word !== 'on' && word !== 'off') || rest.length > 0) throw new UsageError('say on or off')
  return word === 'on'
}
