import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type Account, eraseAccount, findAccount } from '../../../account/index.ts'
import { CODE_MINUTES, queueMail } from '../../../mail/index.ts'
import type { LoginContext } from '../../context.ts'
import { endActing, endFamilies, revokeFamilies } from '../../operations/sessions.ts'
import { deleteLogin } from '../../store/credentials.ts'
import { wrongCode } from '../rules/refusals.ts'
import { issueCode, takeCode } from './mailed-codes.ts'

export async function requestDeletion(context: LoginContext, userId: UserId): Promise<void> {
  await context.database.transaction(async (tx) => {
    const account = await findAccount(tx, userId)
    if (account === null) throw refuse('auth.token_invalid')
    const code = await issueCode(context, tx, userId, 'delete')
    const { email: to, language } = account
    await queueMail(context, tx, { to, template: 'delete_code', values: { code, minutes: CODE_MINUTES }, language })
  })
}

/**
 * Ends the other sessions, and this session's tokens in other regions, before the erasure: these steps can fail, and
 * the caller's session must stay valid here to repeat the call. After the erasure no token of the account is accepted
 * here.
 */
export async function confirmDeletion(
  context: LoginContext,
  { userId, sessionId, code }: { readonly userId: UserId; readonly sessionId: string; readonly code: string },
): Promise<void> {
  if ((await takeCode(context, userId, 'delete', code)) === null) throw wrongCode()
  await revokeFamilies(context, userId, { exceptId: sessionId })
  await endActing(context, userId)
  await eraseAccount(context.account, userId)
  try {
    await revokeFamilies(context, userId)
  } catch (error) {
    context.telemetry.log.warn(
      { err: error },
      'the last session of a deleted account could not be revoked in every region yet',
    )
  }
}

/** Part of the erasure of an account: no login or session outlives it. */
export async function forgetLogin(context: LoginContext, tx: Tx, account: Account): Promise<void> {
  // The credential first: a concurrent login has either committed, and is ended below, or finds no credential.
  await deleteLogin(tx, account.id)
  await endFamilies(context, tx, account.id)
  const { email: to, language } = account
  await queueMail(context, tx, { to, template: 'account_deleted', values: {}, language })
}
