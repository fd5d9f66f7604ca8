import { Secret } from '@sealpost/kernel'
import type { Context, Given, Option } from '../command.ts'
import { UsageError } from '../terminal.ts'
import { importSecret, newSecret, type Signing } from './signing.ts'

/** Options of commands that sign and post events. */
export const signingOptions = {
  secret: {
    type: 'string',
    value: 'SECRET',
    about: 'Signing secret; by default the setting webhook_secret, else a new one',
  },
  'header-vendor': {
    type: 'string',
    value: 'NAME',
    about: 'The word in X-NAME-Signature and so on; Platform by default',
  },
} as const satisfies Readonly<Record<string, Option>>

/**
 * Signs with the given secret, or with a new one for this run. A new one is printed, because the receiver needs it; the
 * platform never signs with it.
 */
export async function openSigning({ terminal, webhookSecret }: Context, { text }: Given): Promise<Signing> {
  const vendor = text('header-vendor') ?? 'Platform'
  if (!/^[A-Za-z][A-Za-z0-9]{0,30}$/.test(vendor)) throw new UsageError('--header-vendor is letters and digits')
  const given = text('secret') ?? webhookSecret()
  const secret = given === null ? newSecret() : new Secret(given)
  if (given === null) {
    terminal.log(`signing secret of this run: ${secret.reveal()}`)
    terminal.log('  set SEALPOST_WEBHOOK_SECRET or give --secret to use the same one each time')
  }
  return { key: await importSecret(secret), vendor, clock: terminal.clock }
}
