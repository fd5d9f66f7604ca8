import { type Bucket, requireFromBuckets } from '../../../platform/limits.ts'
import type { Platform } from '../../../platform/module.ts'

/** Each registration mail allows five more tries of its code, and may reach a person who did not ask for it. */
const MAILS_PER_HOUR = 10

/** One bucket per address, whether it has an account or not. */
export async function takeFromAccount(
  platform: Pick<Platform, 'settings' | 'limiter'>,
  emailHash: string,
): Promise<void> {
  await requireFromBuckets(platform, [accountBucket(platform, emailHash)])
}

/** For calls that send a mail to the address. */
export async function takeMail(platform: Pick<Platform, 'settings' | 'limiter'>, emailHash: string): Promise<void> {
  const mails: Bucket = { policy: 'login', key: `mail:${emailHash}`, quota: MAILS_PER_HOUR, windowSeconds: 3600 }
  await requireFromBuckets(platform, [accountBucket(platform, emailHash), mails])
}

function accountBucket({ settings }: Pick<Platform, 'settings'>, emailHash: string): Bucket {
  return { policy: 'login', key: `account:${emailHash}`, quota: settings.RATE_LOGIN_ACCOUNT }
}
