import { resealUnder } from '@sealpost/sealing'
import type { Platform } from '../../../platform/module.ts'
import type { MailContext } from '../context.ts'
import { listMailsUnderOtherKeys, replaceSeal } from '../store/outbox.ts'
import { contextOf } from './queue-mail.ts'

const PAGE = 200
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Seals queued mails anew under the active key, a page per transaction; answers how many. It can be repeated. */
export async function rewrapMails({
  database,
  settings,
}: Pick<Platform, 'database'> & Pick<MailContext, 'settings'>): Promise<number> {
  const { DATA_KEY: dataKey } = settings
  let done = 0
  for (let after = BEFORE_ALL; ;) {
    const page = await database.transaction(async (tx) => {
      const found = await listMailsUnderOtherKeys(tx, dataKey.active.id, after, PAGE)
      for (const { id, sealed } of found) {
        const fresh = resealUnder(dataKey, sealed, contextOf(id))
        if (fresh !== null) await replaceSeal(tx, id, fresh)
      }
      return found
    })
    const last = page.at(-1)
    if (last === undefined) return done
    done += page.length
    after = last.id
  }
}
