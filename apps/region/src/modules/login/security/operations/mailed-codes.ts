import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { CODE_TRIES, codeEnd, hashCode, matchesCode, newCode } from '../../../mail/index.ts'
import type { LoginContext } from '../../context.ts'
import { type CodePurpose, countTry, lockCode, type MailedCode, markConfirmed, putCode } from '../store/mailed-codes.ts'

/**
 * A new code of the account for this purpose; it replaces an older one. The caller mails it in the same transaction.
 */
export async function issueCode(
  context: LoginContext,
  tx: Tx,
  userId: UserId,
  purpose: CodePurpose,
  email: string | null = null,
): Promise<string> {
  const code = newCode(context.random)
  const expiresAt = codeEnd(context.clock.now())
  await putCode(tx, {
    userId,
    purpose,
    email,
    expiresAt,
    ...hashCode(context.settings.SECRET_PEPPER, code, nameOf(userId, purpose)),
  })
  return code
}

/**
 * The stored code if this one is right; null for a wrong or expired one, which counts as a try. The right one stays
 * valid until it expires, so that a call can be repeated after a lost answer.
 */
export function takeCode(
  context: LoginContext,
  userId: UserId,
  purpose: CodePurpose,
  code: string,
): Promise<MailedCode | null> {
  return context.database.transaction(async (tx) => {
    const found = await lockCode(tx, userId, purpose)
    const now = context.clock.now()
    if (found === null || now >= found.expiresAt || found.tries >= CODE_TRIES) return null
    if (!matchesCode(context.settings.SECRET_PEPPER, found, code, nameOf(userId, purpose))) {
      await countTry(tx, found)
      return null
    }
    await markConfirmed(tx, found, now)
    return found
  })
}

function nameOf(userId: UserId, purpose: CodePurpose): string {
  return `${purpose}:${userId}`
}
