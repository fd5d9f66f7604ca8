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
import type { LoginNeeds } from './needs.ts'
import { DEVICE_TRUST_DAYS, openSession, type OpenSessionNeeds } from './open-session.ts'
import { beginRegistration, confirmRegistration } from './registration.ts'
import { DAY_MS } from './rules.ts'
import { hasSecondFactor } from './security/index.ts'
import { closeFamily, findFamily, type OpenSession, refreshFamily } from './sessions.ts'

export interface LoginBusNeeds extends OpenSessionNeeds {
  readonly regions: readonly RegionCode[]
}

/** What the front door asks about logins. Every handler opens its own transactions: hashing a verifier takes a while. */
export function answerLogins(needs: LoginBusNeeds): void {
  answerSessions(needs)
  answerRegistrations(needs)
  answerActing(needs)
}

function answerSessions(needs: LoginBusNeeds): void {
  const { bus } = needs
  bus.onRead(openSessionAsk, async ({ from, body }) => {
    admit(from)
    const opened = await openSession(needs, {
      userId: readUserId(body.user_id),
      verifier: new Secret(body.auth_verifier),
      otp: body.otp,
      deviceTokens: body.device_tokens.map((token) => new Secret(token)),
      trustDevice: body.trust_device,
      deviceName: body.device_name,
    })
    const deviceToken = opened.deviceToken?.reveal() ?? null
    return { ...sessionOf(needs, opened), device_token: deviceToken, device_seconds: daysInSeconds(DEVICE_TRUST_DAYS) }
  })
  bus.onRead(refreshSessionAsk, async ({ from, body }) => {
    admit(from)
    const acting = body.acting_region === null ? null : readRegion(needs, body.acting_region)
    const opened = await refreshFamily(needs, new Secret(body.refresh_token), body.user_type, acting)
    return sessionOf(needs, opened)
  })
  bus.onRead(findSessionAsk, async ({ from, body }) => {
    admit(from)
    const { userId, id } = await findFamily(needs, new Secret(body.refresh_token), body.user_type)
    return { user_id: userId, session_id: id }
  })
  bus.onRead(closeSessionAsk, async ({ from, body }) => {
    admit(from)
    await closeFamily(needs, new Secret(body.refresh_token), body.user_type)
    return {}
  })
}

function answerRegistrations(needs: LoginBusNeeds): void {
  const { bus } = needs
  bus.onRead(beginRegistrationAsk, async ({ from, body }) => {
    admit(from)
    await refuseWhilePaused(needs)
    await beginRegistration(needs, {
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
    await refuseWhilePaused(needs)
    const account = await confirmRegistration(needs, body.email_hash, body.code)
    if (account === null) return { account: null }
    return { account: { user_id: account.userId, user_type: account.userType, share_code: account.shareCode } }
  })
}

/** Delegates: a company of this region, a user of any. */
function answerActing(needs: LoginBusNeeds): void {
  const { bus, database } = needs
  bus.onRead(findDelegateAsk, async ({ from, body }) => {
    admit(from)
    const companyId = readUserId(body.company_id)
    const found = await database.read((read) => findDelegate(read, companyId, readUserId(body.user_id)))
    return { is_delegate: found !== null }
  })
  // From a region: whose company this user works for.
  bus.onRead(hasSecondFactorAsk, async ({ body }) => {
    const userId = readUserId(body.user_id)
    return { is_enabled: await database.read((read) => hasSecondFactor(read, userId)) }
  })
  // From a region, too: whose user logged out, and whose tokens were made for a company here. It can only end sessions.
  bus.onRead(revokeSessionsAsk, async ({ body }) => {
    await revokeSessions(needs, body.session_ids)
    return {}
  })
}

function admit(from: Party): void {
  if (from !== DIRECTORY) throw new Error('only the front door asks about logins')
}

/** Sessions go on while writes are paused, new accounts wait. */
async function refuseWhilePaused({ database }: LoginNeeds): Promise<void> {
  const { writesPaused } = await database.read(readSwitches)
  if (writesPaused) throw refuse('db.writes_paused')
}

function sessionOf({ clock }: LoginNeeds, opened: OpenSession) {
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
  if (id === null) throw new Error('an ask names a user by something that is no id')
  return id
}

function readRegion({ regions }: LoginBusNeeds, text: string): RegionCode {
  const region = regions.find((code) => code === text)
  if (region === undefined) throw new Error(`no region is called ${text} here`)
  return region
}
