import { instant, type Instant, type Secret, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type Account, findAccount } from '../account/index.ts'
import { isInForce, matchCredential } from './credentials.ts'
import type { LoginNeeds } from './needs.ts'
import { hashToken, newRefreshToken } from './refresh-token.ts'
import { DAY_MS } from './rules.ts'
import type { CheckSecondFactor } from './second-factor.ts'
import { findSecondFactor } from './security/store/second-factor.ts'
import { type OpenSession, openFamily } from './sessions.ts'
import type { Credential } from './store/credentials.ts'
import { findBrowser, forgetOldBrowsers, insertBrowser, touchBrowser } from './store/devices.ts'

export interface OpenSessionNeeds extends LoginNeeds {
  readonly checkSecondFactor: CheckSecondFactor
}

export interface Login {
  /** Of an address that nobody has, an id that nobody has. */
  readonly userId: UserId
  readonly verifier: Secret<string>
  readonly otp: string | null
  readonly deviceTokens: readonly Secret<string>[]
  readonly trustDevice: boolean
  readonly deviceName: string
}

export interface OpenedSession extends OpenSession {
  /** Set when this login made its browser a trusted one. */
  readonly deviceToken: Secret<string> | null
}

export interface ProvenLogin {
  readonly account: Account
  /** The trusted browser that stood in for the code. */
  readonly browserId: string | null
  readonly credential: Credential
  /** Let in without a code, because the account asked for none. */
  readonly isFactorOff: boolean
}

export const DEVICE_TRUST_DAYS = 30
/** As many as anybody uses; a list that shows all of them leaves none to hide among the others. */
export const MOST_BROWSERS = 50
const LONGEST_NAME = 200

/** Proves who logs in, and opens a session. Whatever is wrong is refused alike; only who has the password learns of a code. */
export async function openSession(needs: OpenSessionNeeds, login: Login): Promise<OpenedSession> {
  const { account, browserId, credential, isFactorOff } = await proveLogin(needs, login)
  return needs.database.transaction(async (tx) => {
    // The password may have changed since it was proved, and its sessions ended: this one would outlive them.
    if (!(await isInForce(tx, credential))) throw refuse('session.invalid')
    if (isFactorOff && (await isFactorOn(tx, account.id))) throw refuse('session.otp_required')
    const device = await deviceOf(needs, tx, login, browserId)
    const opened = await openFamily(needs, tx, { userId: account.id, userType: account.userType, deviceId: device.id })
    return { ...opened, deviceToken: device.token }
  })
}

/** Also for logins that end in something else than a session, such as a grant. */
export async function proveLogin(
  needs: OpenSessionNeeds,
  login: Pick<Login, 'userId' | 'verifier' | 'otp' | 'deviceTokens'>,
): Promise<ProvenLogin> {
  const { userId, otp } = login
  const credential = await matchCredential(needs, userId, login.verifier)
  if (credential === null) throw refuse('session.invalid')
  const account = await needs.database.read((read) => findAccount(read, userId))
  if (account === null) throw refuse('session.invalid')
  const browserId = await findTrusted(needs, login)
  const verdict = browserId === null ? await needs.checkSecondFactor(userId, otp) : 'passed'
  if (verdict === 'missing') throw refuse('session.otp_required')
  if (verdict === 'wrong') throw refuse('session.invalid')
  return { account, browserId, credential, isFactorOff: verdict === 'off' }
}

/** Since the login was judged, codes may have been switched on. */
async function isFactorOn(tx: Tx, userId: UserId): Promise<boolean> {
  const factor = await findSecondFactor(tx, userId)
  return factor !== null && factor.confirmedAt !== null
}

async function findTrusted(
  { database, clock }: LoginNeeds,
  { userId, deviceTokens }: Pick<Login, 'userId' | 'deviceTokens'>,
): Promise<string | null> {
  if (deviceTokens.length === 0) return null
  return database.read((read) => findBrowser(read, userId, deviceTokens.map(hashToken), clock.now()))
}

interface LoginDevice {
  readonly id: string | null
  readonly token: Secret<string> | null
}

/** A browser that is trusted already keeps its day of expiry: only a code can give it a new one. */
async function deviceOf(needs: LoginNeeds, tx: Tx, login: Login, browserId: string | null): Promise<LoginDevice> {
  const { userId } = login
  const now = needs.clock.now()
  if (browserId !== null) {
    if (await touchBrowser(tx, userId, browserId, now)) return { id: browserId, token: null }
    // Removed since it was looked at, and the code was left out for its sake.
    throw refuse('session.invalid')
  }
  if (!login.trustDevice) return { id: null, token: null }
  const id = needs.ids.uuid()
  const token = newRefreshToken(needs.region, needs.ids)
  const name = login.deviceName.slice(0, LONGEST_NAME)
  await insertBrowser(tx, { userId, id, name, tokenHash: hashToken(token), now, expiresAt: trustEnd(now) })
  await forgetOldBrowsers(tx, userId, MOST_BROWSERS)
  return { id, token }
}

function trustEnd(now: Instant): Instant {
  return instant(now + DEVICE_TRUST_DAYS * DAY_MS)
}
