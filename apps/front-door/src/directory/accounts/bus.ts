import type { Bus } from '@sealpost/bus'
import type { Clock, Ids, RegionCode, Secret, UserId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import {
  accountErasedTell,
  changeAccountAsk,
  checkEmailAsk,
  findShareCodeAsk,
  kdfChangedTell,
  putAccountAsk,
  putKdfAsk,
} from '@sealpost/protocol'
import { readId, readRegion } from '../read-ask.ts'
import { hashEmail } from './email.ts'
import { changeAccount, putAccount } from './operations.ts'
import { findAccountByEmail, findAccountByShareCode, replaceKdf, retireAccount } from './store.ts'

export interface AccountBusNeeds {
  readonly bus: Bus
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly directoryKey: Secret<string>
  readonly regions: readonly RegionCode[]
}

/** What regions ask and tell about the accounts that live in them. */
export function answerAboutAccounts(needs: AccountBusNeeds): void {
  const { bus, database, regions } = needs
  const homeOf = (from: string, userId: string) => ({
    userId: readId<UserId>(userId),
    region: readRegion(regions, from),
  })
  bus.onAsk(putAccountAsk, (tx, { from, body }) =>
    putAccount(needs, tx, readRegion(regions, from), {
      userId: readId<UserId>(body.user_id),
      userType: body.user_type,
      region: readRegion(regions, body.region),
      level: body.level,
      email: body.email,
      kdf: body.kdf,
      publicKey: body.public_key,
      shareCode: body.share_code,
    }),
  )
  bus.onAsk(changeAccountAsk, (tx, { from, body }) =>
    changeAccount(needs, tx, readRegion(regions, from), {
      userId: readId<UserId>(body.user_id),
      level: body.level,
      email: body.email,
      publicKey: body.public_key,
    }),
  )
  bus.onRead(findShareCodeAsk, async ({ body }) => {
    const account = await database.read((read) => findAccountByShareCode(read, body.share_code))
    if (account === null) return { account: null }
    const { userId, userType, region, publicKey } = account
    return { account: { user_id: userId, user_type: userType, region, public_key: publicKey } }
  })
  bus.onRead(checkEmailAsk, async ({ from, body }) => {
    readRegion(regions, from)
    const hash = hashEmail(needs.directoryKey, body.email)
    const holder = await database.read((read) => findAccountByEmail(read, hash))
    return { is_taken: holder !== null && holder.userId !== readId<UserId>(body.user_id) }
  })
  bus.onAsk(putKdfAsk, async (tx, { from, body }) => {
    await replaceKdf(tx, homeOf(from, body.user_id), body.kdf, body.rev)
    return {}
  })
  bus.onTell(kdfChangedTell, (tx, { from, body }) => replaceKdf(tx, homeOf(from, body.user_id), body.kdf, body.rev))
  bus.onTell(accountErasedTell, (tx, { from, body }) =>
    retireAccount(tx, homeOf(from, body.user_id), needs.clock.now()),
  )
}
