import type { Keyring } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { resealUnder } from '@sealpost/sealing'
import { sharedContext } from './operations.ts'
import { listSharedUnderOtherKeys, replaceShared } from './store/grants.ts'

const PAGE = 200

/** Moves what was handed over to the active key, a page per transaction; answers how many. Repeating it does the rest. */
export async function rewrapShared(needs: { readonly database: Database; readonly dataKey: Keyring }): Promise<number> {
  const { database, dataKey } = needs
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
