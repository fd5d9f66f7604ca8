import type { ObjectKey } from '@sealpost/objects'
import { adoptObjects } from '../../modules/vault/index.ts'
import type { Platform } from '../../platform/module.ts'
import { compareObjects } from '../compare-objects.ts'
import { type OperatorCommand, UsageError } from './command.ts'

const DISCARD = 'discard-unknown'
const AT_ONCE = 500

/**
 * For the time after a restore; the region may run. Nothing is deleted at once, because another restore may need it. See
 * [Note: objects and backups].
 */
export const reconcileObjects: OperatorCommand = {
  takes: `[${DISCARD}]`,
  about:
    'after a restore: makes files readable again that a bucket with versioning has hidden, and counts missing ones; ' +
    `${DISCARD} removes files that no row knows, after BACKUP_DAYS: only if the bucket is of this region alone`,
  async run({ platform }, [word, ...rest]) {
    if ((word !== undefined && word !== DISCARD) || rest.length > 0) throw new UsageError(`say nothing or ${DISCARD}`)
    const isVersioned = await platform.objects.isVersioned()
    const count = { recovered: 0, missing: 0, unknown: 0 }
    const listing = listForRemoval(platform, word === DISCARD)
    const { referred } = await compareObjects(platform, async ({ key, kind }) => {
      const isRecovered = kind === 'missing' && isVersioned && (await platform.objects.recover(key))
      count[isRecovered ? 'recovered' : kind] += 1
      if (kind === 'unknown') await listing.add(key)
    })
    await listing.end()
    const after = word === DISCARD ? `, to be removed in ${platform.settings.BACKUP_DAYS} days` : ''
    return (
      `${referred} objects are in use; ${count.recovered} were hidden and are readable again, ` +
      `${count.missing} are missing and count as deleted, ${count.unknown} belong to no row${after}`
    )
  },
}

/** Puts keys on the list of garbage, many in one transaction. */
function listForRemoval(platform: Pick<Platform, 'database' | 'clock' | 'settings'>, isWanted: boolean) {
  let keys: ObjectKey[] = []
  const end = async (): Promise<void> => {
    const some = keys
    keys = []
    if (some.length > 0 && isWanted) await platform.database.transaction((tx) => adoptObjects(platform, tx, some))
  }
  return {
    async add(key: ObjectKey): Promise<void> {
      keys.push(key)
      if (keys.length >= AT_ONCE) await end()
    },
    end,
  }
}
