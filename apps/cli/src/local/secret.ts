import { Secret } from '@sealpost/kernel'
import type { Context, Given, Option } from '../command.ts'
import { UsageError } from '../terminal.ts'
import { importSecret, newSecret, type Signing } from './signing.ts'

/** How a command that posts to this machine is told what to sign with. */
export const signingOptions = {
  secret: { type: 'string', value: 'SECRET', about: 'Sign with it; else the setting webhook_secret, else a new one' },
  'header-vendor': { type: 'string', value: 'NAME', about: 'X-NAME-Signature and so on; Platform when left out' },
} as const satisfies Readonly<Record<string, Option>>

/**
 * With the secret that is given. A new one is of this run and signs nothing that the platform sends, so it is told: a
 * receiver must know it.
 */
export async function openSigning({ terminal, webhookSecret }: Context, { text }: Given): Promise<Signing> {
  const vendor = text('header-vendor') ?? 'Platform'
  if (!/^[A-Za-z][A-Za-z0-9]{0,30}$/.test(vendor)) throw new UsageError('--header-vendor is letters and digits')
  const given = text('secret') ?? webhookSecret()
  const secret = given === null ? newSecret() : new Secret(given)
  if (given === null) {
    terminal.tell(`signing secret of this run: ${secret.reveal()}`)
    terminal.tell('  set SEALPOST_WEBHOOK_SECRET, or give --secret, to have the same each time')
  }
  return { key: await importSecret(secret), vendor, clock: terminal.clock }
}
