import { ApiError } from '@sealpost/protocol'
import { type Bucket, giveBack, requireFromBuckets } from '../../../platform/limits.ts'
import type { Platform } from '../../../platform/module.ts'
import { type Addressee, findAcquaintance, hashSource, rememberSource } from '../../directory/index.ts'
import type { LoginSource } from '../model.ts'
import { findKnownDevice } from './known-device.ts'

/**
 * Runs a login and counts it against the account when it fails. A device or a source address that has logged in to this
 * account before has a limit of its own: strangers, who all share one, never lock out the owner. An attempt takes its
 * token before it runs, so that concurrent ones cannot pass the limit together. An address without an account has the
 * same limits, see [Note: pretended accounts].
 */
export async function countFailures<Result>(
  platform: Platform,
  { emailHash, userId }: Pick<Addressee, 'emailHash' | 'userId'>,
  from: LoginSource,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const source = hashSource(platform.settings.DIRECTORY_KEY, userId, from.address)
  const device = findKnownDevice(platform, userId, from.knownDevices)
  const acquaintance = await findAcquaintance(platform, userId, source)
  const own = device ?? (acquaintance === 'unknown' ? 'strangers' : source)
  const quota = platform.settings.RATE_LOGIN_ACCOUNT
  const bucket: Bucket = { policy: 'login', key: `account:${emailHash}:${own}`, quota }
  await requireFromBuckets(platform, [bucket])
  const result = await attempt().catch(async (error: unknown) => {
    if (!isFailedLogin(error)) await giveBack(platform, [bucket])
    throw error
  })
  await giveBack(platform, [bucket])
  if (acquaintance !== 'fresh') await tryToRemember(platform, userId, source)
  return result
}

/** Neither a missing code after the right password nor an outage is a wrong guess. */
function isFailedLogin(error: unknown): boolean {
  return error instanceof ApiError && error.key === 'session.invalid'
}

/** The login has succeeded, so it is answered; the next one tries again. */
async function tryToRemember(platform: Platform, userId: Addressee['userId'], source: string): Promise<void> {
  try {
    await rememberSource(platform, userId, source)
  } catch (error) {
    platform.telemetry.log.warn({ err: error }, 'the source of a login could not be recorded')
  }
}
