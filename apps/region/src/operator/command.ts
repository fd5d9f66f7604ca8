import type { RegionCore } from '../core.ts'

/** One act of an operator on a region. `run` answers the line that is printed; what takes long reports on the way. */
export interface OperatorCommand {
  /** What follows the command's name: `on|off`. */
  readonly takes: string
  readonly about: string
  run(core: RegionCore, args: readonly string[], report: (line: string) => void): Promise<string>
}

/** The words after a command make no sense; what would is printed. */
export class UsageError extends Error {}

export function readOnOff([word, ...rest]: readonly string[]): boolean {
  if ((word !== 'on' && word !== 'off') || rest.length > 0) throw new UsageError('say on or off')
  return word === 'on'
}
