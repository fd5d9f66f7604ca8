import type { Bucket } from '../../../platform/limits.ts'
import { requireFromBuckets } from '../../../platform/limits.ts'
import type { Platform } from '../../../platform/module.ts'

const HOUR_SECONDS = 3600
/** So that one stranger cannot use up the mails of an address. */
const MAILS_PER_SOURCE = 5
/** Each mail allows five tries of its code, and may reach a person who did not ask for it. */
const MAILS_PER_ADDRESS = 20

/** For calls that send a mail to an e-mail address, whether it has an account or not. */
export async function takeMail(platform: Pick<Platform, 'limiter'>, emailHash: string, source: string): Promise<void> {
  await requireFromBuckets(platform, [
    mailBucket(`mail:${emailHash}:${source}`, MAILS_PER_SOURCE),
    mailBucket(`mail:${emailHash}`, MAILS_PER_ADDRESS),
  ])
}

function mailBucket(key: string, quota: number): Bucket {
  return { policy: 'login', key, quota, windowSeconds: HOUR_SECONDS }
}
