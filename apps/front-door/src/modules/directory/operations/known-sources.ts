import { instant, type UserId } from '@sealpost/kernel'
import type { Platform } from '../../../platform/module.ts'
import { deleteExpiredSources, findKnownSource, forgetOldSources, putKnownSource } from '../store/known-sources.ts'

const DAY_MS = 86_400_000
const KNOWN_MS = 90 * DAY_MS
const MOST_SOURCES = 20

/** `stale`: known, and the record is older than a day. */
export type Acquaintance = 'unknown' | 'stale' | 'fresh'

/** Whether the account has logged in from this source in the last 90 days. */
export async function findAcquaintance(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  userId: UserId,
  source: string,
): Promise<Acquaintance> {
  const now = clock.now()
  const seenAt = await database.read((read) => findKnownSource(read, userId, source, instant(now - KNOWN_MS)))
  if (seenAt === null) return 'unknown'
  return now - seenAt > DAY_MS ? 'stale' : 'fresh'
}

/** Records that the account has logged in from there. */
export async function rememberSource(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  userId: UserId,
  source: string,
): Promise<void> {
  const now = clock.now()
  await database.transaction(async (tx) => {
    await putKnownSource(tx, userId, source, now)
    await forgetOldSources(tx, userId, MOST_SOURCES)
    await deleteExpiredSources(tx, instant(now - KNOWN_MS))
  })
}
