import { type Party, parseParty } from '@sealpost/bus'
import { instant, type Instant, type RegionCode, type Secret, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse, revokeSessionsAsk } from '@sealpost/protocol'
import { revokeSessions } from '../access/index.ts'
import type { LoginNeeds } from './needs.ts'
import { hashToken, newRefreshToken, successorOf } from './refresh-token.ts'
import { DAY_MS, isAlive, judgeRefresh, slidingEnd } from './rules.ts'
import {
  addActingRegion,
  extendFamily,
  type Family,
  type FamilyFilter,
  findToken,
  type FoundToken,
  insertFamily,
  insertToken,
  listActing,
  lockToken,
  markReplaced,
  markRevoked,
  markRevokedEverywhere,
  type UserType,
} from './store/sessions.ts'

export interface OpenSession {
  readonly userId: UserId
  readonly userType: UserType
  readonly sessionId: string
  readonly refreshToken: Secret<string>
  readonly expiresAt: Instant
}

export interface NewSession {
  readonly userId: UserId
  readonly userType: UserType
  /** The trusted device that the login came from; removing it ends the session. */
  readonly deviceId: string | null
}

/** A login's family of refresh tokens, with its first one. */
export async function openFamily(needs: LoginNeeds, tx: Tx, login: NewSession): Promise<OpenSession> {
  const now = needs.clock.now()
  const endsAt = instant(now + needs.refreshMaxDays * DAY_MS)
  const expiresAt = slidingEnd(now, needs.refreshTtlDays, endsAt)
  const id = needs.ids.uuid()
  const refreshToken = newRefreshToken(needs.region, needs.ids)
  await insertFamily(tx, { ...login, id, createdAt: now, expiresAt, endsAt })
  await insertToken(tx, { userId: login.userId, id }, hashToken(refreshToken), now)
  return { ...login, sessionId: id, refreshToken, expiresAt }
}

/** The next refresh token of the family. Repeating it late is a theft: it ends the family before it is refused. */
export async function refreshFamily(
  needs: LoginNeeds,
  token: Secret<string>,
  userType: UserType,
  actingRegion: RegionCode | null,
): Promise<OpenSession> {
  const outcome = await needs.database.transaction((tx) => tryRefresh(needs, tx, token, userType, actingRegion))
  if ('opened' in outcome) return outcome.opened
  if (outcome.stolen !== null) await spreadRevocations(needs, outcome.stolen)
  throw refuse('session.expired')
}

type RefreshOutcome = { readonly opened: OpenSession } | { readonly stolen: readonly Family[] | null }

async function tryRefresh(
  needs: LoginNeeds,
  tx: Tx,
  token: Secret<string>,
  userType: UserType,
  actingRegion: RegionCode | null,
): Promise<RefreshOutcome> {
  const found = await lockToken(tx, hashToken(token))
  if (found === null) return { stolen: null }
  const now = needs.clock.now()
  const { family } = found
  const judgement = judgeRefresh(found, userType, now)
  if (judgement === 'expired') return { stolen: null }
  if (judgement === 'replay') return { stolen: await markRevoked(tx, family.userId, { onlyId: family.id }, now) }
  if (actingRegion !== null) await addActingRegion(tx, family, actingRegion)
  const keyId = found.token.successorKeyId ?? needs.pepper.active.id
  const refreshToken = successorOf(needs.region, needs.pepper, keyId, token)
  const expiresAt = judgement === 'rotate' ? await rotate(needs, tx, found, refreshToken, now) : family.expiresAt
  return { opened: { userId: family.userId, userType, sessionId: family.id, refreshToken, expiresAt } }
}

async function rotate(
  needs: LoginNeeds,
  tx: Tx,
  { family, token }: FoundToken,
  successor: Secret<string>,
  now: Instant,
): Promise<Instant> {
  const expiresAt = slidingEnd(now, needs.refreshTtlDays, family.endsAt)
  await markReplaced(tx, family.userId, token.hash, needs.pepper.active.id, now)
  await insertToken(tx, family, hashToken(successor), now)
  await extendFamily(tx, family, expiresAt)
  return expiresAt
}

/** Whose session a refresh token belongs to, if it could be refreshed now. One that comes back late ends it, as above. */
export async function findFamily(needs: LoginNeeds, token: Secret<string>, userType: UserType): Promise<Family> {
  const found = await needs.database.read((read) => findToken(read, hashToken(token)))
  const judgement = found === null ? 'expired' : judgeRefresh(found, userType, needs.clock.now())
  if (found !== null && judgement === 'replay') {
    await revokeFamilies(needs, found.family.userId, { onlyId: found.family.id })
  }
  if (found === null || judgement === 'expired' || judgement === 'replay') throw refuse('session.expired')
  return found.family
}

/** Ends the family of a token, whichever of its tokens that is; resolves when no access token of it works any more. */
export async function closeFamily(needs: LoginNeeds, token: Secret<string>, userType: UserType): Promise<void> {
  const found = await needs.database.read((read) => findToken(read, hashToken(token)))
  if (found === null || found.family.userType !== userType) return
  await revokeFamilies(needs, found.family.userId, { onlyId: found.family.id })
}

/**
 * Ends families of an account, all unless told which. Resolves when no process of any region accepts their access
 * tokens; when it rejects, the families have ended and the call is to be repeated.
 */
export async function revokeFamilies(needs: LoginNeeds, userId: UserId, filter: FamilyFilter = {}): Promise<void> {
  await spreadRevocations(needs, await needs.database.transaction((tx) => endFamilies(needs, tx, userId, filter)))
}

/** For a transaction that has more to do; what it answers goes to `spreadRevocations` after the commit. */
export function endFamilies(
  needs: Pick<LoginNeeds, 'clock'>,
  tx: Tx,
  userId: UserId,
  filter: FamilyFilter = {},
): Promise<readonly Family[]> {
  return markRevoked(tx, userId, filter, needs.clock.now())
}

/** Tells everybody who might accept a token of these families. Left half done, it is finished by `finishRevocations`. */
export async function spreadRevocations(needs: LoginNeeds, families: readonly Family[]): Promise<void> {
  if (families.length === 0) return
  await revokeSessions(
    needs,
    families.map(({ id }) => id),
  )
  await tellActingRegions(needs, families)
  await needs.database.transaction(async (tx) => {
    for (const [userId, ids] of idsByUser(families)) await markRevokedEverywhere(tx, userId, ids)
  })
}

/** Ends what the account's sessions may do for companies in other regions; here they go on. */
export async function endActing(needs: LoginNeeds, userId: UserId): Promise<void> {
  const families = await needs.database.read((read) => listActing(read, userId))
  const elsewhere = (regions: readonly RegionCode[]) => regions.filter((region) => region !== needs.region)
  await tellActingRegions(
    needs,
    families.map((family) => ({ ...family, actingRegions: elsewhere(family.actingRegions) })),
  )
}

async function tellActingRegions({ bus }: LoginNeeds, families: readonly Family[]): Promise<void> {
  for (const region of new Set(families.flatMap(({ actingRegions }) => actingRegions))) {
    const ids = families.filter((family) => family.actingRegions.includes(region)).map(({ id }) => id)
    await bus.ask(revokeSessionsAsk, { to: partyOf(region), body: { session_ids: ids } })
  }
}

function idsByUser(families: readonly Family[]): ReadonlyMap<UserId, readonly string[]> {
  return new Map(
    [...Map.groupBy(families, ({ userId }) => userId)].map(([userId, own]) => [userId, own.map(({ id }) => id)]),
  )
}

function partyOf(region: RegionCode): Party {
  return parseParty(region)
}

export { isAlive, type Family, type FamilyFilter }
