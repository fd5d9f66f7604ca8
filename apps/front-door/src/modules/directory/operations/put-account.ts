import type { RegionCode, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { hashEmail } from '../hashing/email.ts'
import {
  type AccountRow,
  findAccountByEmail,
  findDirectoryAccount,
  insertAccount,
  lockEmail,
} from '../store/accounts.ts'

export type NewAccount = Omit<AccountRow, 'emailHash' | 'shareCode'> & {
  readonly email: string
  readonly shareCode?: string | undefined
}

export interface PutOutcome {
  readonly is_email_taken: boolean
  readonly email_hash: string
  readonly share_code: string | null
}

/** There are 32^6 codes: two taken ones in a row are chance, ten are a fault. */
const CODE_TRIES = 10

/** Adds an account for its home region. A repeated ask returns the same answer and changes nothing. */
export async function putAccount(
  platform: Pick<Platform, 'settings' | 'ids'>,
  tx: Tx,
  from: RegionCode,
  account: NewAccount,
): Promise<PutOutcome> {
  if (account.region !== from) throw notHome()
  const emailHash = hashEmail(platform.settings.DIRECTORY_KEY, account.email)
  // Before the account is read: a concurrent transaction may be adding the same one.
  await lockEmail(tx, emailHash)
  const known = await findDirectoryAccount(tx, account.userId)
  if (known !== null) return repeatAnswer(known, account)
  if (await isEmailTaken(tx, emailHash, account.userId)) {
    return { is_email_taken: true, email_hash: emailHash, share_code: null }
  }
  const shareCode = await insertWithCode(platform, tx, { ...account, emailHash })
  return { is_email_taken: false, email_hash: emailHash, share_code: shareCode }
}

/** Whether another account has the address. Holds the lock on it until the transaction ends. */
export async function isEmailTaken(tx: Tx, emailHash: string, userId: UserId): Promise<boolean> {
  await lockEmail(tx, emailHash)
  const holder = await findAccountByEmail(tx, emailHash)
  return holder !== null && holder.userId !== userId
}

export function notHome(): Error {
  return refuse('request.invalid', { details: [{ path: '/region', message: 'is not the home of this account' }] })
}

type Hashed = Omit<NewAccount, 'email'> & { readonly emailHash: string }

async function insertWithCode({ ids }: Pick<Platform, 'ids'>, tx: Tx, account: Hashed): Promise<string> {
  for (let tries = 0; tries < CODE_TRIES; tries += 1) {
    const wanted = tries === 0 ? account.shareCode : undefined
    const shareCode = wanted ?? ids.shareCode()
    if (await insertAccount(tx, { ...account, shareCode })) return shareCode
  }
  // Also reached for the id of an erased account, whose row stays.
  throw notHome()
}

function repeatAnswer(known: AccountRow, { userType, region }: NewAccount): PutOutcome {
  if (known.userType !== userType || known.region !== region) throw notHome()
  return { is_email_taken: false, email_hash: known.emailHash, share_code: known.shareCode }
}
