import type { Context, Given } from '../command.ts'
import { refuseExisting } from '../files.ts'
import { CliError, UsageError } from '../terminal.ts'

export function missingOption(option: string): never {
  throw new UsageError(`--${option} is required`)
}

/** The value of `--limit`: how many of these are printed. */
export function limitOf({ text }: Given, what: string, fallback: number): number {
  const limit = text('limit')
  if (limit === null) return fallback
  if (/^[1-9]\d{0,5}$/.test(limit)) return Number(limit)
  throw new UsageError(`--limit is a number of ${what}, at least 1`)
}

export const yesOption = { type: 'boolean', about: 'Do not ask' } as const

/** Before what cannot be undone: asks at a terminal; elsewhere `--yes` is required. */
export async function confirm({ terminal }: Context, { flag }: Given, what: string): Promise<void> {
  if (flag('yes')) return
  if (!terminal.isInteractive) throw new UsageError(`this would ${what}: give --yes to do it without a question`)
  const answer = await terminal.ask(`This will ${what}. Type yes: `)
  if (answer.trim() !== 'yes') throw new CliError('nothing has changed')
}

/** Where a one-time secret goes: to a file, to standard output, or to both. */
export interface SecretPlace {
  readonly file: string | null
  readonly isPrinted: boolean
}

/** Called before the secret is made, so that it cannot be lost. */
export function secretPlaceOf(
  { terminal }: Context,
  { text, flag }: Given,
  name: 'passphrase' | 'secret',
  isRequired = true,
): SecretPlace {
  const place = { file: text(`${name}-file`), isPrinted: flag(`show-${name}`) }
  if (isRequired && place.file === null && !place.isPrinted) {
    throw new UsageError(`the ${name} is shown once: give --${name}-file FILE or --show-${name}`)
  }
  if (place.file !== null) refuseExisting(terminal, place.file)
  return place
}
