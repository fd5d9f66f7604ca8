import type { Clock, Ids, RegionCode, Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type Level, refuse } from '@sealpost/protocol'
import { hashEmail } from './email.ts'
import {
  type AccountRow,
  findAccountByEmail,
  findDirectoryAccount,
  insertAccount,
  lockEmail,
  updateAccount,
} from './store.ts'

export interface AccountNeeds {
  readonly clock: Clock
  readonly ids: Ids
  readonly directoryKey: Secret<string>
}

export type NewAccount = Omit<AccountRow, 'emailHash' | 'shareCode'> & {
  readonly email: string
  readonly shareCode?: string | undefined
}

export interface PutOutcome {
  readonly is_email_taken: boolean
  readonly email_hash: string
  readonly share_code: string | null
}

/** 32^6 codes: a second one in a row that is taken is bad luck, a tenth is a fault. */
const CODE_TRIES = 10

/** Takes an account in. Only its home may ask; asking again answers the same and changes nothing. */
export async function putAccount(
  needs: AccountNeeds,
  tx: Tx,
  from: RegionCode,
  account: NewAccount,
): Promise<PutOutcome> {
  if (account.region !== from) throw notHome()
  const emailHash = hashEmail(needs.directoryKey, account.email)
  // Before the look: the same account may be put twice at the same moment.
  await lockEmail(tx, emailHash)
  const known = await findDirectoryAccount(tx, account.userId)
  if (known !== null) return repeat(known, account)
  if (await isTaken(tx, emailHash, account.userId)) {
    return { is_email_taken: true, email_hash: emailHash, share_code: null }
  }
  const shareCode = await insertWithCode(needs, tx, { ...account, emailHash })
  return { is_email_taken: false, email_hash: emailHash, share_code: shareCode }
}

export interface Change {
  readonly userId: UserId
  readonly level?: Level | undefined
  readonly email?: string | undefined
  readonly publicKey?: string | undefined
}

/** Says whether the address belongs to somebody else; nothing is changed then. */
export async function changeAccount(
  needs: AccountNeeds,
  tx: Tx,
  from: RegionCode,
  { userId, email, ...change }: Change,
): Promise<{ is_email_taken: boolean; email_hash: string | null }> {
  const emailHash = email === undefined ? undefined : hashEmail(needs.directoryKey, email)
  if (emailHash !== undefined && (await isTaken(tx, emailHash, userId))) {
    return { is_email_taken: true, email_hash: emailHash }
  }
  const isDone = await updateAccount(tx, { userId, region: from }, { ...change, emailHash }, needs.clock.now())
  if (!isDone) throw notHome()
  return { is_email_taken: false, email_hash: emailHash ?? null }
}

async function isTaken(tx: Tx, emailHash: string, userId: UserId): Promise<boolean> {
  await lockEmail(tx, emailHash)
  const holder = await findAccountByEmail(tx, emailHash)
  return holder !== null && holder.userId !== userId
}

type Hashed = Omit<NewAccount, 'email'> & { readonly emailHash: string }

async function insertWithCode(needs: AccountNeeds, tx: Tx, account: Hashed): Promise<string> {
  for (let tries = 0; tries < CODE_TRIES; tries += 1) {
    const wanted = tries === 0 ? account.shareCode : undefined
    const shareCode = wanted ?? needs.ids.shareCode()
    if (await insertAccount(tx, { ...account, shareCode })) return shareCode
  }
  // An id whose account is gone ends here as well.
  throw notHome()
}

function repeat(known: AccountRow, { userType, region }: NewAccount): PutOutcome {
  if (known.userType !== userType || known.region !== region) throw notHome()
  return { is_email_taken: false, email_hash: known.emailHash, share_code: known.shareCode }
}

function notHome(): Error {
  return refuse('request.invalid', { details: [{ path: '/region', message: 'is not the home of this account' }] })
}
