import { resealUnder } from '@sealpost/sealing'
import type { Platform } from '../../../../platform/module.ts'
import { rewrapMails } from '../../../mail/index.ts'
import { credentialContext } from '../../operations/credentials.ts'
import { listCredentialsUnderOtherKeys, replaceSeal } from '../../store/credentials.ts'
import { lockFactorsUnderOtherKeys, updateSecondFactor } from '../store/second-factor.ts'
import { factorContext } from './second-factor.ts'

export interface Rewrapped {
  readonly credentials: number
  readonly factors: number
  readonly mails: number
}

const PAGE = 200
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Seals all rows under older keys anew under the active one; afterwards the second key can be removed from its setting.
 * A page is a transaction: it may be stopped at any time and run again, while logins are served.
 */
export async function rewrapAll(
  context: Pick<Platform, 'database' | 'settings'>,
  report: (line: string) => void,
): Promise<Rewrapped> {
  const credentials = await inPages((after) => rewrapCredentials(context, after), report, 'credentials')
  const factors = await inPages((after) => rewrapFactors(context, after), report, 'second factors')
  const mails = await rewrapMails(context)
  return { credentials, factors, mails }
}

interface Page {
  readonly done: number
  readonly lastId: string | null
}

async function inPages(
  next: (after: string) => Promise<Page>,
  report: (line: string) => void,
  what: string,
): Promise<number> {
  let total = 0
  for (let after: string | null = BEFORE_ALL; after !== null;) {
    const page: Page = await next(after)
    total += page.done
    after = page.lastId
    if (page.done > 0) report(`rewrapped ${total} ${what} so far`)
  }
  return total
}

async function rewrapCredentials(
  { database, settings: { SECRET_PEPPER: pepper } }: Pick<Platform, 'database' | 'settings'>,
  after: string,
): Promise<Page> {
  return database.transaction(async (tx) => {
    const found = await listCredentialsUnderOtherKeys(tx, pepper.active.id, after, PAGE)
    for (const { userId, sealed } of found) {
      const fresh = resealUnder(pepper, sealed, credentialContext(userId))
      if (fresh !== null) await replaceSeal(tx, userId, sealed, fresh)
    }
    return { done: found.length, lastId: found.at(-1)?.userId ?? null }
  })
}

async function rewrapFactors(
  { database, settings: { DATA_KEY: dataKey } }: Pick<Platform, 'database' | 'settings'>,
  after: string,
): Promise<Page> {
  return database.transaction(async (tx) => {
    const found = await lockFactorsUnderOtherKeys(tx, dataKey.active.id, after, PAGE)
    for (const factor of found) {
      const fresh = resealUnder(dataKey, factor.sealed, factorContext(factor.userId))
      if (fresh !== null) await updateSecondFactor(tx, { ...factor, sealed: fresh })
    }
    return { done: found.length, lastId: found.at(-1)?.userId ?? null }
  })
}
