import type { UserId } from '@sealpost/kernel'
import type { LoginContext } from '../../context.ts'
import { endFamilies, spreadRevocations } from '../../operations/sessions.ts'

/**
 * False when this account has no such session. Resolves when no token of the session is accepted anywhere; when it
 * rejects, the session has ended here and a repeated call completes it.
 */
export async function endSession(context: LoginContext, userId: UserId, id: string): Promise<boolean> {
  const ended = await context.database.transaction((tx) => endFamilies(context, tx, userId, { onlyId: id }))
  await spreadRevocations(context, ended)
  return ended.some(({ expiresAt }) => expiresAt > context.clock.now())
}
