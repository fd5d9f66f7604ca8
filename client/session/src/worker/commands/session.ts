import type { Bytes } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { isSealpostError } from '@sealpost/sdk'
import { deriveRecoverableLogin, loginByRecoveryCode, newKdf, openOnDevice, passcodeSecret } from '@sealpost/vault'
import { refuseHere } from '@sealpost/web-app/worker'
import { type ClosedState, closedState } from '../closed-state.ts'
import { type SessionContext, requireOpen } from '../context.ts'
import { closeAccount, leaveAccount } from './lock.ts'
import { openWithKey, openWithLogin } from './open-account.ts'
import { ownDeviceId } from './own-device.ts'
import { storeNewPassword } from './password.ts'

/** What the app shows before anything else. */
export type SessionState =
  | ClosedState
  | {
      readonly state: 'open'
      readonly email: string
      readonly displayName: string
      readonly shareCode: string
      readonly region: string
      /** Null until this device can unlock without the password. */
      readonly unlock: 'passkey' | 'passcode' | null
      /** Whether the password was typed since the app was opened, so that it need not be asked for again. */
      readonly hasPassword: boolean
    }

export async function sessionState(context: SessionContext): Promise<SessionState> {
  const record = await context.store.read()
  const { open } = context
  if (open === null) return closedState(record)
  const { share_code: shareCode, region } = await open.client.me()
  const { email, displayName, login } = open
  const unlock = record?.unlock?.kind ?? null
  return { state: 'open', email, displayName, shareCode, region, unlock, hasPassword: login !== null }
}

export interface LogInWish {
  readonly email: string
  readonly password: string
  readonly otp?: string
  readonly trustDevice?: boolean
}

export async function logIn(context: SessionContext, wish: LogInWish): Promise<void> {
  const { email, password, ...rest } = wish
  const kdf = await context.calls.readKdf(email)
  const { login, recoveryCode } = await deriveRecoverableLogin(password, kdf)
  await context.access.open({ email, login, ...rest, deviceId: await ownDeviceId(context, email) })
  await openWithLogin(context, login, recoveryCode)
  await rememberAccount(context)
  await forgetUnlockIfRemoved(context)
}

/** Another device may have removed this one since it was set up. */
async function forgetUnlockIfRemoved(context: SessionContext): Promise<void> {
  const record = await context.store.read()
  if (record === null || record.unlock === null) return
  try {
    await requireOpen(context).client.security.readDevice(record.unlock.deviceId)
  } catch (error) {
    if (!isSealpostError(error, 'request.not_found')) throw error
    await context.store.write({ ...record, unlock: null })
    context.changed('session', 'devices')
  }
}

/** With the code instead of the password, which is replaced at once: a person who needs the code has lost it. */
export async function recoverAccess(
  context: SessionContext,
  wish: { readonly email: string; readonly code: string; readonly newPassword: string; readonly otp?: string },
): Promise<{ readonly recoveryCode: string }> {
  const { email, code, newPassword, otp } = wish
  const login = await loginByRecoveryCode(code)
  const deviceId = await ownDeviceId(context, email)
  await context.access.open({ email, login, deviceId, ...(otp === undefined ? {} : { otp }) })
  const account = await openWithLogin(context, login, null)
  const changed = await storeNewPassword(account, login, newPassword, newKdf())
  context.open = { ...account, ...changed }
  await rememberAccount(context)
  return { recoveryCode: changed.recoveryCode.reveal() }
}

/** `secret`: the PRF result of the passkey, which this device gives after a fingerprint or the like. */
export async function unlockByPasskey(context: SessionContext, secret: ArrayBuffer): Promise<void> {
  const { unlock } = (await context.store.read()) ?? {}
  if (unlock?.kind !== 'passkey') throw refuseHere('no_unlock')
  await openLocal(context, await openOnDevice(unlock.wrap, new Secret(new Uint8Array(secret))), unlock.deviceId)
}

/** After so many wrong passcodes this device forgets its key, and the password is needed. */
const PASSCODE_TRIES = 5

export async function unlockByPasscode(context: SessionContext, passcode: string): Promise<void> {
  const { privateKey } = await openByPasscode(context, passcode)
  const { unlock = null } = (await context.store.read()) ?? {}
  if (unlock === null) throw refuseHere('no_unlock')
  await openLocal(context, privateKey, unlock.deviceId)
}

export interface OpenedByPasscode {
  readonly privateKey: Secret<Bytes>
  /** Opens what else rests on this device under the passcode. */
  readonly secret: Secret<Bytes>
}

/** The private key of this device. Wrong tries are counted. */
export async function openByPasscode(context: SessionContext, passcode: string): Promise<OpenedByPasscode> {
  const record = await context.store.read()
  if (record?.unlock?.kind !== 'passcode') throw refuseHere('no_unlock')
  const { unlock } = record
  const secret = await passcodeSecret(passcode, unlock.salt, unlock.deviceKey)
  const privateKey = await openOnDevice(unlock.wrap, secret).catch(() => null)
  if (privateKey === null) {
    const failedTries = unlock.failedTries + 1
    const isLast = failedTries >= PASSCODE_TRIES
    await context.store.write({ ...record, unlock: isLast ? null : { ...unlock, failedTries } })
    if (isLast) context.changed('session')
    throw refuseHere(isLast ? 'passcode_forgotten' : 'passcode_wrong')
  }
  if (unlock.failedTries > 0) await context.store.write({ ...record, unlock: { ...unlock, failedTries: 0 } })
  return { privateKey, secret }
}

async function openLocal(
  context: SessionContext,
  privateKey: Parameters<typeof openWithKey>[1],
  deviceId: string,
): Promise<void> {
  try {
    const { client } = await openWithKey(context, privateKey)
    await client.security.readDevice(deviceId)
  } catch (error) {
    closeAccount(context)
    // The session was ended elsewhere, or was not used for a month: the password opens a new one.
    if (isSealpostError(error, 'session.expired')) throw refuseHere('session_ended')
    if (isSealpostError(error, 'request.not_found')) await forgetRemoved(context)
    throw error
  }
}

/** Another device has removed this one. */
async function forgetRemoved(context: SessionContext): Promise<never> {
  await leaveAccount(context, { deviceId: null, keepsPins: true })
  throw refuseHere('session_ended')
}

export async function lock(context: SessionContext): Promise<void> {
  closeAccount(context)
  context.changed('session')
}

/** Removes the account from this device, and ends its session: [Note: a device forgets without the server]. */
export async function logOut(context: SessionContext): Promise<void> {
  await leaveAccount(context, { deviceId: null })
}

/** The device knows whose app it is; how it unlocks is set up separately. */
export async function rememberAccount(context: SessionContext): Promise<void> {
  const { accountId, email, displayName, publicKey } = requireOpen(context)
  const known = await context.store.read()
  const unlock = known?.accountId === accountId ? known.unlock : null
  await context.store.write({ accountId, email, displayName, publicKey, unlock })
}
