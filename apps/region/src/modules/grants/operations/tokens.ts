import { instant } from '@sealpost/kernel'
import type { GrantsContext } from '../context.ts'
import type { Payload, TokenName } from '../model.ts'
import { findToken, insertToken, markConsumed } from '../store/tokens.ts'
import { endGrant } from './end-grants.ts'

/** False when the grant has ended: the token must not be handed out. */
export async function putToken(
  { database, clock }: GrantsContext,
  name: TokenName,
  grantId: string,
  livesSeconds: number,
  payload: Payload,
): Promise<boolean> {
  const now = clock.now()
  const times = { now, expiresAt: instant(now + livesSeconds * 1000) }
  return database.transaction((tx) => insertToken(tx, name, grantId, payload, times))
}

/** Null for a token whose grant has ended, but only after the end is complete. */
export async function readToken(
  grants: GrantsContext,
  name: TokenName,
): Promise<{ readonly payload: Payload; readonly isConsumed: boolean } | null> {
  const { database, clock } = grants
  const token = await database.read((read) => findToken(read, name, clock.now()))
  if (token === null) return null
  if (token.is_ended) {
    await endGrant(grants, token.grant_id)
    return null
  }
  return { payload: token.payload, isConsumed: token.is_consumed }
}

/**
 * Uses up a code or refresh token. A second use is by the client or by a thief, which cannot be told apart: the whole
 * grant ends before the answer.
 */
export async function consumeToken(grants: GrantsContext, name: TokenName): Promise<boolean> {
  const { database, clock } = grants
  if (await database.transaction((tx) => markConsumed(tx, name, clock.now()))) return true
  const token = await database.read((read) => findToken(read, name, clock.now()))
  if (token !== null) await endGrant(grants, token.grant_id)
  return false
}
