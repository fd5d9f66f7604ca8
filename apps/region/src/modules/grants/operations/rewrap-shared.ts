import { resealUnder } from '@sealpost/sealing'
import type { Platform } from '../../../platform/module.ts'
import { listSharedUnderOtherKeys, replaceShared } from '../store/grants.ts'
import { sharedContext } from './grants.ts'

const PAGE = 200

/**
 * Seals shared values anew under the active key, a page per transaction; answers how many. Repeating it does the rest.
 */
export async function rewrapShared({ database, settings }: Pick<Platform, 'database' | 'settings'>): Promise<number> {
  const dataKey = settings.DATA_KEY
  let done = 0
  for (let after = ''; ;) {
    const page = await database.transaction(async (tx) => {
      const found = await listSharedUnderOtherKeys(tx, dataKey.active.id, after, PAGE)
      for (const { id, userId, sealed } of found) {
        const fresh = resealUnder(dataKey, sealed, sharedContext(id))
        if (fresh !== null) await replaceShared(tx, userId, id, fresh)
      }
      return found
    })
    const last = page.at(-1)
    if (last === undefined) return done
    done += page.length
    after = last.id
  }
}
