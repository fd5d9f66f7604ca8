import { type Party, parseParty } from '@sealpost/bus'
import { instant, type Instant, type RegionCode, type Secret, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse, revokeSessionsAsk } from '@sealpost/protocol'
import { revokeSessions } from '../../access/index.ts'
import type { LoginContext } from '../context.ts'
import { DAY_MS, isAlive, validateRefresh, slidingEnd } from '../rules/refresh.ts'
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
  type SessionUse,
  type UserType,
} from '../store/sessions.ts'
import { hashToken, newRefreshToken, successorOf } from './refresh-token.ts'

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
  /** The trusted device of the login; removing it ends the session. */
  readonly deviceId: string | null
  /** The login was confirmed by a one-time code, not by a trusted browser. */
  readonly hasSecondFactor: boolean
  /** The device with a key that the login names; removing it ends the session, too. */
  readonly signingDeviceId: string | null
  readonly userAgent: string
  /** Shortened. */
  readonly address: string | null
}

/** A refresh of a session, as the front door sees it. */
export interface Refresh {
  readonly userType: UserType
  /** The region in which a delegate's token for another company is about to be used. */
  readonly actingRegion: RegionCode | null
  /** Shortened. */
  readonly address: string | null
}

/** Opens a family of refresh tokens and its first token. */
export async function openFamily(context: LoginContext, tx: Tx, login: NewSession): Promise<OpenSession> {
  const now = context.clock.now()
  const endsAt = instant(now + context.settings.REFRESH_MAX_DAYS * DAY_MS)
  const expiresAt = slidingEnd(now, context.settings.REFRESH_TTL_DAYS, endsAt)
  const id = context.ids.uuid()
  const refreshToken = newRefreshToken(context.region, context.ids)
  await insertFamily(tx, { ...login, id, createdAt: now, expiresAt, endsAt })
  await insertToken(tx, { userId: login.userId, id }, hashToken(refreshToken), now)
  return { ...login, sessionId: id, refreshToken, expiresAt }
}

/** Answers the next refresh token of the family. A token that is repeated late ends the family before it is refused. */
export async function refreshFamily(
  context: LoginContext,
  token: Secret<string>,
  asked: Refresh,
): Promise<OpenSession> {
  const outcome = await context.database.transaction((tx) => tryRefresh(context, tx, token, asked))
  if ('opened' in outcome) return outcome.opened
  if (outcome.stolen !== null) await spreadRevocations(context, outcome.stolen)
  throw refuse('session.expired')
}

type RefreshOutcome = { readonly opened: OpenSession } | { readonly stolen: readonly Family[] | null }

async function tryRefresh(
  context: LoginContext,
  tx: Tx,
  token: Secret<string>,
  { userType, actingRegion, address }: Refresh,
): Promise<RefreshOutcome> {
  const found = await lockToken(tx, hashToken(token))
  if (found === null) return { stolen: null }
  const now = context.clock.now()
  const { family } = found
  const verdict = validateRefresh(found, userType, now)
  if (verdict === 'expired') return { stolen: null }
  if (verdict === 'replay') return { stolen: await markRevoked(tx, family.userId, { onlyId: family.id }, now) }
  if (actingRegion !== null) await addActingRegion(tx, family, actingRegion)
  const keyId = found.token.successorKeyId ?? context.settings.SECRET_PEPPER.active.id
  const refreshToken = successorOf(context.region, context.settings.SECRET_PEPPER, keyId, token)
  const expiresAt =
    verdict === 'rotate' ? await rotate(context, tx, found, refreshToken, { at: now, address }) : family.expiresAt
  return { opened: { userId: family.userId, userType, sessionId: family.id, refreshToken, expiresAt } }
}

async function rotate(
  context: LoginContext,
  tx: Tx,
  { family, token }: FoundToken,
  successor: Secret<string>,
  use: SessionUse,
): Promise<Instant> {
  const now = use.at
  const expiresAt = slidingEnd(now, context.settings.REFRESH_TTL_DAYS, family.endsAt)
  await markReplaced(tx, family.userId, token.hash, context.settings.SECRET_PEPPER.active.id, now)
  await insertToken(tx, family, hashToken(successor), now)
  await extendFamily(tx, family, expiresAt, use)
  return expiresAt
}

/** The family of a refresh token that could be refreshed now. A token that is repeated late ends the family. */
export async function findFamily(context: LoginContext, token: Secret<string>, userType: UserType): Promise<Family> {
  const found = await context.database.read((read) => findToken(read, hashToken(token)))
  const verdict = found === null ? 'expired' : validateRefresh(found, userType, context.clock.now())
  if (found !== null && verdict === 'replay') {
    await revokeFamilies(context, found.family.userId, { onlyId: found.family.id })
  }
  if (found === null || verdict === 'expired' || verdict === 'replay') throw refuse('session.expired')
  return found.family
}

/** Ends the family of any of its tokens; resolves when none of its access tokens is accepted. */
export async function closeFamily(context: LoginContext, token: Secret<string>, userType: UserType): Promise<void> {
  const found = await context.database.read((read) => findToken(read, hashToken(token)))
  if (found === null || found.family.userType !== userType) return
  await revokeFamilies(context, found.family.userId, { onlyId: found.family.id })
}

/**
 * Ends families of an account, by default all. Resolves when no process of any region accepts their access tokens; when
 * it rejects, the families have ended here and the call has to be repeated.
 */
export async function revokeFamilies(context: LoginContext, userId: UserId, filter: FamilyFilter = {}): Promise<void> {
  await spreadRevocations(context, await context.database.transaction((tx) => endFamilies(context, tx, userId, filter)))
}

/** For a transaction that does more; pass the answer to `spreadRevocations` after the commit. */
export function endFamilies(
  context: Pick<LoginContext, 'clock'>,
  tx: Tx,
  userId: UserId,
  filter: FamilyFilter = {},
): Promise<readonly Family[]> {
  return markRevoked(tx, userId, filter, context.clock.now())
}

/**
 * Revokes the tokens of these families in all regions that accept them. `finishRevocations` completes it after a crash.
 */
export async function spreadRevocations(context: LoginContext, families: readonly Family[]): Promise<void> {
  if (families.length === 0) return
  await revokeSessions(
    context,
    families.map(({ id }) => id),
  )
  await revokeInActingRegions(context, families)
  await context.database.transaction(async (tx) => {
    for (const [userId, ids] of idsByUser(families)) await markRevokedEverywhere(tx, userId, ids)
  })
}

/** Revokes the account's tokens for companies in other regions; its sessions here stay. */
export async function endActing(context: LoginContext, userId: UserId): Promise<void> {
  const families = await context.database.read((read) => listActing(read, userId))
  const elsewhere = (regions: readonly RegionCode[]) => regions.filter((region) => region !== context.region)
  await revokeInActingRegions(
    context,
    families.map((family) => ({ ...family, actingRegions: elsewhere(family.actingRegions) })),
  )
}

async function revokeInActingRegions({ bus }: LoginContext, families: readonly Family[]): Promise<void> {
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
