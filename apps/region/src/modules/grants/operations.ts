import { type Clock, type Instant, instant, type Keyring, type RegionCode, type UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import { readConsent, refuse } from '@sealpost/protocol'
import { sealUnder } from '@sealpost/sealing'
import { isSessionRevoked } from '../access/index.ts'
import { endGrant, type EndingNeeds } from './ending.ts'
import { findGrant, insertGrant, type Payload, setShared } from './store/grants.ts'
import { consume, findToken, insertToken, type TokenName } from './store/tokens.ts'

export interface GrantsNeeds extends EndingNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly region: RegionCode
  readonly dataKey: Keyring
  /** Names the password in force and keeps it until the transaction ends; null when the account is gone. */
  lockCredentialName(tx: Tx, userId: UserId): Promise<string | null>
}

export interface GrantToPut {
  readonly id: string
  readonly userId: UserId
  readonly clientId: string
  readonly usedIn: string
  readonly livesSeconds: number
  readonly payload: Payload
}

export interface SharedValues {
  readonly values: Readonly<Record<string, string>>
  readonly values_attestation: Readonly<Record<string, string>>
}

/** A grant's id begins with its region, so that whoever holds one of its tokens knows whom to ask. */
export async function putGrant(needs: GrantsNeeds, grant: GrantToPut): Promise<void> {
  const { clock, database, region } = needs
  if (!grant.id.startsWith(`${region}.`)) throw new Error('a grant was put into a region that its id does not name')
  const expiresAt = later(clock.now(), grant.livesSeconds)
  await database.transaction(async (tx) => {
    await demandProof(needs, tx, grant)
    await insertGrant(tx, { ...grant, expiresAt })
  })
}

/** Since the user was known, the password may have changed or the session ended: the grant would outlive what let it in. */
async function demandProof(needs: GrantsNeeds, tx: Tx, { userId, payload }: GrantToPut): Promise<void> {
  const { proof } = readConsent(payload)
  const credential = await needs.lockCredentialName(tx, userId)
  if ('credential' in proof) {
    if (credential !== proof.credential) throw refuse('session.invalid')
  } else if (credential === null || (await isSessionRevoked(tx, proof.session_id))) {
    throw refuse('auth.token_invalid')
  }
}

export async function readGrant(needs: GrantsNeeds, id: string): Promise<Payload | null> {
  const grant = await needs.database.read((read) => findGrant(read, id, needs.clock.now()))
  if (grant === null || grant.ended_at !== null) return null
  return grant.payload
}

/** False when the grant has ended: whoever was about to get this token gets nothing. */
export async function putToken(
  { database, clock }: GrantsNeeds,
  name: TokenName,
  grantId: string,
  livesSeconds: number,
  payload: Payload,
): Promise<boolean> {
  const now = clock.now()
  const times = { now, expiresAt: later(now, livesSeconds) }
  return database.transaction((tx) => insertToken(tx, name, grantId, payload, times))
}

/** A token whose grant has ended is as good as unknown, but only once that end has been seen through. */
export async function readToken(
  needs: GrantsNeeds,
  name: TokenName,
): Promise<{ readonly payload: Payload; readonly isConsumed: boolean } | null> {
  const token = await needs.database.read((read) => findToken(read, name, needs.clock.now()))
  if (token === null) return null
  if (token.is_ended) {
    await endGrant(needs, token.grant_id)
    return null
  }
  return { payload: token.payload, isConsumed: token.is_consumed }
}

/**
 * Uses a code or refresh token up. Whoever comes second holds something that was used before, by the client or by a
 * thief, and nobody can tell which: the whole grant ends before the answer is given.
 */
export async function consumeToken(needs: GrantsNeeds, name: TokenName): Promise<boolean> {
  const { database, clock } = needs
  if (await database.transaction((tx) => consume(tx, name, clock.now()))) return true
  const token = await database.read((read) => findToken(read, name, clock.now()))
  if (token !== null) await endGrant(needs, token.grant_id)
  return false
}

/** Sealed once more: with an app that takes plaintext, the values are readable to whoever reads the row. */
export async function shareValues(needs: GrantsNeeds, id: string, shared: SharedValues): Promise<void> {
  const { database, clock, dataKey } = needs
  const grant = await database.read((read) => findGrant(read, id, clock.now()))
  if (grant === null) throw refuse('oauth.invalid_grant')
  const sealed = sealUnder(dataKey, JSON.stringify(shared), sharedContext(id))
  await database.transaction((tx) => setShared(tx, grant.user_id, id, sealed))
}

export function sharedContext(grantId: string): string {
  return `grants.shared:${grantId}`
}

function later(now: Instant, seconds: number): Instant {
  return instant(now + seconds * 1000)
}
