import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type Account, eraseAccount, findAccount } from '../../account/index.ts'
import { CODE_MINUTES, queueMail } from '../../mail/index.ts'
import type { LoginNeeds } from '../needs.ts'
import { endActing, endFamilies, revokeFamilies } from '../sessions.ts'
import { issueCode, takeCode } from './mailed-codes.ts'
import type { SecurityNeeds } from './needs.ts'
import { wrongCode } from './refusals.ts'
import { removeLogin } from './store/erasure.ts'

export async function requestDeletion(needs: LoginNeeds, userId: UserId): Promise<void> {
  await needs.database.transaction(async (tx) => {
    const account = await findAccount(tx, userId)
    if (account === null) throw refuse('auth.token_invalid')
    const code = await issueCode(needs, tx, userId, 'delete')
    const { email: to, language } = account
    await queueMail(needs.mail, tx, { to, template: 'delete_code', values: { code, minutes: CODE_MINUTES }, language })
  })
}

/**
 * Ends the other sessions first, and the tokens of this one in other regions, because that can fail and must be
 * repeatable: until the account itself is erased, the session that asks still works here. After it, nothing of the account is accepted here.
 */
export async function confirmDeletion(
  needs: SecurityNeeds,
  { userId, sessionId, code }: { readonly userId: UserId; readonly sessionId: string; readonly code: string },
): Promise<void> {
  if ((await takeCode(needs, userId, 'delete', code)) === null) throw wrongCode()
  await revokeFamilies(needs, userId, { exceptId: sessionId })
  await endActing(needs, userId)
  await eraseAccount(needs.account, userId)
  try {
    await revokeFamilies(needs, userId)
  } catch (error) {
    needs.telemetry.log.warn({ err: error }, 'the last session of a deleted account could not be told everywhere yet')
  }
}

/** In the transaction that erases the account: nothing that logs in to it may outlive it. */
export async function forgetLogin(needs: Pick<LoginNeeds, 'clock' | 'mail'>, tx: Tx, account: Account): Promise<void> {
  // The credential first: a login that holds it has then either committed, and is ended below, or finds it gone.
  await removeLogin(tx, account.id)
  await endFamilies(needs, tx, account.id)
  const { email: to, language } = account
  await queueMail(needs.mail, tx, { to, template: 'account_deleted', values: {}, language })
}
