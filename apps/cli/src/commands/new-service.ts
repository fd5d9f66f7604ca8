import type { NewService } from '@sealpost/sdk'
import type { Context, Given, Option } from '../command.ts'
import { UsageError } from '../terminal.ts'
import { missingOption } from './options.ts'

/** Besides `--name` and `--admin-email`, which one command requires and the other asks for. */
export const newServiceOptions = {
  'share-code': { type: 'string', value: 'CODE', about: 'Derived from the name by default' },
  audience: { type: 'string', value: 'WHO', about: 'person, company or both (default)' },
} as const satisfies Readonly<Record<string, Option>>

/** The members of a new service from its options; where `ownEmail` is given, asks for what is left out. */
export async function newServiceOf(
  context: Context,
  given: Given,
  ownEmail?: () => Promise<string>,
): Promise<NewService> {
  const [shareCode, audience] = [given.text('share-code'), given.text('audience')]
  const about = {
    ...(shareCode === null ? {} : { share_code: shareCode }),
    ...(audience === null ? {} : { audience: audienceOf(audience) }),
  }
  const asks = ownEmail !== undefined
  const name = given.text('name') ?? (asks ? await askFor(context, 'Name of the new service') : null)
  const email = given.text('admin-email') ?? (asks ? await askFor(context, 'Address for alerts', ownEmail) : null)
  return { name: name ?? missingOption('name'), admin_email: email ?? missingOption('admin-email'), ...about }
}

/** An empty answer, and none where no user sits at the terminal, means the default. */
async function askFor(
  { terminal }: Context,
  question: string,
  fallbackOf?: () => Promise<string>,
): Promise<string | null> {
  const fallback = fallbackOf === undefined ? null : await fallbackOf()
  const suffix = fallback === null ? '' : ` [${fallback}]`
  const typed = terminal.isInteractive ? (await terminal.ask(`${question}${suffix}: `)).trim() : ''
  return typed === '' ? fallback : typed
}

function audienceOf(text: string): NonNullable<NewService['audience']> {
  if (text === 'person' || text === 'company' || text === 'both') return text
  throw new UsageError('--audience is person, company or both')
}
