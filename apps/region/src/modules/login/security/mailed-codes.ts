import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { CODE_TRIES, codeEnd, hashCode, matchesCode, newCode } from '../../mail/index.ts'
import type { LoginNeeds } from '../needs.ts'
import { type CodePurpose, countTry, lockCode, type MailedCode, markConfirmed, putCode } from './store/mailed-codes.ts'

/** A new code of the account for this purpose; an older one ends. The caller mails it in the same transaction. */
export async function issueCode(
  needs: LoginNeeds,
  tx: Tx,
  userId: UserId,
  purpose: CodePurpose,
  email: string | null = null,
): Promise<string> {
  const code = newCode(needs.random)
  const expiresAt = codeEnd(needs.clock.now())
  await putCode(tx, { userId, purpose, email, expiresAt, ...hashCode(needs.pepper, code, nameOf(userId, purpose)) })
  return code
}

/**
 * What the right code stands for; null for a wrong or old one, which counts as a try. The right one stays good until it
 * ends, so that a call can be repeated after a lost answer.
 */
export function takeCode(
  needs: LoginNeeds,
  userId: UserId,
  purpose: CodePurpose,
  code: string,
): Promise<MailedCode | null> {
  return needs.database.transaction(async (tx) => {
    const found = await lockCode(tx, userId, purpose)
    const now = needs.clock.now()
    if (found === null || now >= found.expiresAt || found.tries >= CODE_TRIES) return null
    if (!matchesCode(needs.pepper, found, code, nameOf(userId, purpose))) {
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
