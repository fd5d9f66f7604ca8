import { DIRECTORY, type Party } from '@sealpost/bus'
import { parseUuid, type RegionCode, Secret, type UserId } from '@sealpost/kernel'
import {
  beginRegistrationAsk,
  closeSessionAsk,
  confirmRegistrationAsk,
  findDelegateAsk,
  findSessionAsk,
  hasSecondFactorAsk,
  openSessionAsk,
  refreshSessionAsk,
  refuse,
  revokeSessionsAsk,
} from '@sealpost/protocol'
import { readSwitches, revokeSessions } from '../access/index.ts'
import { findDelegate } from '../account/index.ts'
import type { LoginContext } from './context.ts'
import { DEVICE_TRUST_DAYS, openSession } from './operations/open-session.ts'
import { beginRegistration, confirmRegistration } from './operations/registration.ts'
import { closeFamily, findFamily, type OpenSession, refreshFamily } from './operations/sessions.ts'
import { DAY_MS } from './rules/refresh.ts'
import { hasSecondFactor } from './security/index.ts'

/** Asks of the front door. Handlers open their own transactions, because hashing a verifier is slow. */
export function answerLogins(context: LoginContext): void {
  answerSessions(context)
  answerRegistrations(context)
  answerActing(context)
}

function answerSessions(context: LoginContext): void {
  const { bus } = context
  bus.onRead(openSessionAsk, async ({ from, body }) => {
    admit(from)
    const opened = await openSession(context, {
      userId: readUserId(body.user_id),
      verifier: new Secret(body.auth_verifier),
      otp: body.otp,
      deviceTokens: body.device_tokens.map((token) => new Secret(token)),
      trustDevice: body.trust_device,
      userAgent: body.device_name,
      address: body.address ?? null,
      signingDeviceId: parseUuid<string>(body.device_id ?? ''),
    })
    const deviceToken = opened.deviceToken?.reveal() ?? null
    return {
      ...sessionOf(context, opened),
      device_token: deviceToken,
      device_seconds: daysInSeconds(DEVICE_TRUST_DAYS),
    }
  })
  bus.onRead(refreshSessionAsk, async ({ from, body }) => {
    admit(from)
    const opened = await refreshFamily(context, new Secret(body.refresh_token), {
      userType: body.user_type,
      actingRegion: body.acting_region === null ? null : readRegion(context, body.acting_region),
      address: body.address ?? null,
    })
    return sessionOf(context, opened)
  })
  bus.onRead(findSessionAsk, async ({ from, body }) => {
    admit(from)
    const { userId, id } = await findFamily(context, new Secret(body.refresh_token), body.user_type)
    return { user_id: userId, session_id: id }
  })
  bus.onRead(closeSessionAsk, async ({ from, body }) => {
    admit(from)
    await closeFamily(context, new Secret(body.refresh_token), body.user_type)
    return {}
  })
}

function answerRegistrations(context: LoginContext): void {
  const { bus } = context
  bus.onRead(beginRegistrationAsk, async ({ from, body }) => {
    admit(from)
    await refuseWhilePaused(context)
    await beginRegistration(context, {
      tokenHash: Buffer.from(body.token_hash, 'hex'),
      isTaken: body.is_taken,
      userType: body.user_type,
      email: body.email,
      emailHash: body.email_hash,
      verifier: new Secret(body.auth_verifier),
      details: {
        displayName: body.display_name,
        language: body.language,
        kdf: body.kdf,
        publicKey: body.public_key,
        encryptedPrivateKey: body.encrypted_private_key,
        recoveryPublicKey: body.recovery_public_key,
        encryptedRecoveryKey: body.encrypted_recovery_key,
      },
    })
    return {}
  })
  bus.onRead(confirmRegistrationAsk, async ({ from, body }) => {
    admit(from)
    await refuseWhilePaused(context)
    const name = { tokenHash: Buffer.from(body.token_hash, 'hex'), emailHash: body.email_hash }
    const account = await confirmRegistration(context, name, body.code)
    if (account === null) return { account: null }
    return { account: { user_id: account.userId, user_type: account.userType, share_code: account.shareCode } }
  })
}

/** Delegates: the company is in this region, the user in any. */
function answerActing(context: LoginContext): void {
  const { bus, database } = context
  bus.onRead(findDelegateAsk, async ({ from, body }) => {
    admit(from)
    const companyId = readUserId(body.company_id)
    const found = await database.read((read) => findDelegate(read, companyId, readUserId(body.user_id)))
    return { is_delegate: found !== null }
  })
  // Sent by the region of the company that the user is a delegate of.
  bus.onRead(hasSecondFactorAsk, async ({ body }) => {
    const userId = readUserId(body.user_id)
    return { is_enabled: await database.read((read) => hasSecondFactor(read, userId)) }
  })
  // Also sent by the home region of a user who had tokens for a company here. It can only end sessions.
  bus.onRead(revokeSessionsAsk, async ({ body }) => {
    await revokeSessions(context, body.session_ids)
    return {}
  })
}

function admit(from: Party): void {
  if (from !== DIRECTORY) throw new Error('only the front door may send asks about logins')
}

/** While writes are paused, sessions are served and new accounts are refused. */
async function refuseWhilePaused({ database }: LoginContext): Promise<void> {
  const { writesPaused } = await database.read(readSwitches)
  if (writesPaused) throw refuse('db.writes_paused')
}

function sessionOf({ clock }: LoginContext, opened: OpenSession) {
  return {
    user_id: opened.userId,
    user_type: opened.userType,
    session_id: opened.sessionId,
    refresh_token: opened.refreshToken.reveal(),
    refresh_seconds: Math.max(0, Math.floor((opened.expiresAt - clock.now()) / 1000)),
  }
}

function daysInSeconds(days: number): number {
  return (days * DAY_MS) / 1000
}

function readUserId(text: string): UserId {
  const id = parseUuid<UserId>(text)
  if (id === null) throw new Error('invalid user id in an ask')
  return id
}

function readRegion({ settings }: LoginContext, text: string): RegionCode {
  const region = settings.REGIONS.find(({ code }) => code === text)?.code
  if (region === undefined) throw new Error(`unknown region ${text}`)
  return region
}
