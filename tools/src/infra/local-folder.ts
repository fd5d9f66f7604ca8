import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { LOCAL_FOLDER } from '@sealpost/testkit/engines'

/** Names what this checkout has on servers that other checkouts use, too; `SEALPOST_NAME` shares it between some. */
export function checkoutName(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { SEALPOST_NAME: given } = environment
  if (given === undefined) return createHash('sha256').update(LOCAL_FOLDER).digest('hex').slice(0, 8)
  if (/^[a-z0-9_]{1,32}$/.test(given)) return given
  throw new Error('SEALPOST_NAME must be 1 to 32 lower-case letters, digits and underscores')
}

export function localFolder(...parts: readonly string[]): string {
  const folder = join(LOCAL_FOLDER, ...parts)
  mkdirSync(folder, { recursive: true })
  return folder
}
