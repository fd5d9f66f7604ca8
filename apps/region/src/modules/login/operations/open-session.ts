import { instant, type Instant, type Secret, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type Account, findAccount } from '../../account/index.ts'
import type { LoginContext } from '../context.ts'
import { DAY_MS } from '../rules/refresh.ts'
import { findSecondFactor } from '../security/store/second-factor.ts'
import type { Credential } from '../store/credentials.ts'
import { findBrowser, forgetOldBrowsers, insertBrowser, lockSigningDevice, touchBrowser } from '../store/devices.ts'
import { isInForce, matchCredential } from './credentials.ts'
import { hashToken, newRefreshToken } from './refresh-token.ts'
import { type OpenSession, openFamily } from './sessions.ts'

export interface Login {
  /** For an unknown address, an unknown id. */
  readonly userId: UserId
  readonly verifier: Secret<string>
  readonly otp: string | null
  readonly deviceTokens: readonly Secret<string>[]
  readonly trustDevice: boolean
  readonly userAgent: string
  /** Shortened; null from a front door that does not send it. */
  readonly address: string | null
  /** The device with a key on which the session will be used. */
  readonly signingDeviceId: string | null
}

export interface OpenedSession extends OpenSession {
  /** Set when this login made its browser trusted. */
  readonly deviceToken: Secret<string> | null
}

export interface ProvenLogin {
  readonly account: Account
  /** The trusted browser that replaced the code. */
  readonly browserId: string | null
  readonly credential: Credential
  /** No code was required, because the account has no second factor. */
  readonly isFactorOff: boolean
  /** A one-time code was sent and is right. */
  readonly hasSecondFactor: boolean
}

export const DEVICE_TRUST_DAYS = 30
/** Few enough that the list of devices shows all of them, so that an unknown one stands out. */
export const MAX_BROWSERS = 50
const MAX_NAME = 200

/**
 * Checks the login and opens a session. All failures get the same refusal, except a missing code after a right
 * password.
 */
export async function openSession(context: LoginContext, login: Login): Promise<OpenedSession> {
  const { account, browserId, credential, isFactorOff, hasSecondFactor } = await proveLogin(context, login)
  return context.database.transaction(async (tx) => {
    // The password may have changed since it was checked, which ended its sessions: this one would outlive them.
    if (!(await isInForce(tx, credential))) throw refuse('session.invalid')
    if (isFactorOff && (await isFactorOn(tx, account.id))) throw refuse('session.otp_required')
    const device = await deviceOf(context, tx, login, browserId)
    const opened = await openFamily(context, tx, {
      userId: account.id,
      userType: account.userType,
      deviceId: device.id,
      hasSecondFactor,
      // One that was removed is unknown: the session opens without it, and the app finds its device gone.
      signingDeviceId: await lockSigningDevice(tx, account.id, login.signingDeviceId),
      userAgent: nameOf(login),
      address: login.address,
    })
    return { ...opened, deviceToken: device.token }
  })
}

/** Also for logins that do not open a session, such as the consent to a grant. */
export async function proveLogin(
  context: LoginContext,
  login: Pick<Login, 'userId' | 'verifier' | 'otp' | 'deviceTokens'>,
): Promise<ProvenLogin> {
  const { userId, otp } = login
  const credential = await matchCredential(context, userId, login.verifier)
  if (credential === null) throw refuse('session.invalid')
  const account = await context.database.read((read) => findAccount(read, userId))
  if (account === null) throw refuse('session.invalid')
  const browserId = await findTrusted(context, login)
  const verdict = browserId === null ? await context.checkSecondFactor(userId, otp) : 'passed'
  if (verdict === 'missing') throw refuse('session.otp_required')
  if (verdict === 'wrong') throw refuse('session.invalid')
  const hasSecondFactor = verdict === 'passed' && browserId === null
  return { account, browserId, credential, isFactorOff: verdict === 'off', hasSecondFactor }
}

/** The second factor may have been enabled since the login was checked. */
async function isFactorOn(tx: Tx, userId: UserId): Promise<boolean> {
  const factor = await findSecondFactor(tx, userId)
  return factor !== null && factor.confirmedAt !== null
}

async function findTrusted(
  { database, clock }: LoginContext,
  { userId, deviceTokens }: Pick<Login, 'userId' | 'deviceTokens'>,
): Promise<string | null> {
  if (deviceTokens.length === 0) return null
  return database.read((read) => findBrowser(read, userId, deviceTokens.map(hashToken), clock.now()))
}

interface LoginDevice {
  readonly id: string | null
  readonly token: Secret<string> | null
}

/** A trusted browser keeps its expiry: only a code extends it. */
async function deviceOf(context: LoginContext, tx: Tx, login: Login, browserId: string | null): Promise<LoginDevice> {
  const { userId } = login
  const now = context.clock.now()
  if (browserId !== null) {
    if (await touchBrowser(tx, userId, browserId, now)) return { id: browserId, token: null }
    // The browser was removed since it was read, and it had replaced the code.
    throw refuse('session.invalid')
  }
  if (!login.trustDevice) return { id: null, token: null }
  const id = context.ids.uuid()
  const token = newRefreshToken(context.region, context.ids)
  await insertBrowser(tx, {
    userId,
    id,
    name: nameOf(login),
    tokenHash: hashToken(token),
    now,
    expiresAt: trustEnd(now),
  })
  await forgetOldBrowsers(tx, userId, MAX_BROWSERS)
  return { id, token }
}

function nameOf({ userAgent }: Login): string {
  return userAgent.slice(0, MAX_NAME)
}

function trustEnd(now: Instant): Instant {
  return instant(now + DEVICE_TRUST_DAYS * DAY_MS)
}
