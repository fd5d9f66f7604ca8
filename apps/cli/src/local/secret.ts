import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '@sealpost/kernel'
import type { Context, Given, Option } from '../command.ts'
import { readSecret, writeSecret } from '../files.ts'
import { type Terminal, UsageError } from '../terminal.ts'
import { importSecret, newSecret, type Signing } from './signing.ts'

/** Options of commands that sign and post events. */
export const signingOptions = {
  secret: {
    type: 'string',
    value: 'SECRET',
    about: 'Signing secret; by default the setting webhook_secret, else the one of this machine',
  },
  'header-vendor': {
    type: 'string',
    value: 'NAME',
    about: 'The word in X-NAME-Signature and so on; Platform by default',
  },
} as const satisfies Readonly<Record<string, Option>>

/**
 * Signs with the given secret, or with one that this machine keeps, so that a receiver is configured once. That one is
 * printed, because the receiver needs it; the platform never signs with it.
 */
export async function openSigning({ terminal, webhookSecret }: Context, { text }: Given): Promise<Signing> {
  const vendor = text('header-vendor') ?? 'Platform'
  if (!/^[A-Za-z][A-Za-z0-9]{0,30}$/.test(vendor)) throw new UsageError('--header-vendor is letters and digits')
  const given = text('secret') ?? webhookSecret()
  const secret = given === null ? secretOfMachine(terminal) : new Secret(given)
  if (given === null) terminal.log(`signing secret of this machine, the same each time: ${secret.reveal()}`)
  return { key: await importSecret(secret), vendor, clock: terminal.clock }
}

function secretOfMachine(terminal: Terminal): Secret<string> {
  const file = join(terminal.homeFolder, '.config/sealpost/listen-secret')
  if (existsSync(file)) return new Secret(readSecret(terminal, file, 'the signing secret'))
  const secret = newSecret()
  writeSecret(terminal, file, `${secret.reveal()}\n`)
  return secret
}
