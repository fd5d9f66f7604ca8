import type { Secret } from '@sealpost/kernel'
import {
  deriveLogin,
  deriveRecoverableLogin,
  type KdfParameters,
  type Login,
  newKdf,
  passwordChangeBody,
} from '@sealpost/vault'
import { type OpenAccount, type SessionContext, requireOpen } from '../context.ts'
import { ownDeviceId } from './own-device.ts'

/** Wraps the same key under another password. The recovery code of the old one ends. */
export async function storeNewPassword(
  { client }: Pick<OpenAccount, 'client'>,
  current: Login,
  newPassword: string,
  kdf: KdfParameters,
): Promise<{ readonly login: Login; readonly recoveryCode: Secret<string> }> {
  const made = await deriveRecoverableLogin(newPassword, kdf)
  const { encrypted_private_key: encryptedPrivateKey, encrypted_recovery_key: recovery = null } =
    await client.readKeys()
  const body = await passwordChangeBody({
    current,
    next: made.login,
    kdf,
    encryptedPrivateKey,
    ...(recovery === null ? {} : { encryptedRecoveryKey: recovery }),
  })
  await client.security.changePassword(body)
  return made
}

export async function changePassword(
  context: SessionContext,
  wish: { readonly password: string; readonly newPassword: string },
): Promise<{ readonly recoveryCode: string }> {
  const open = requireOpen(context)
  const current = await deriveLogin(wish.password, await context.calls.readKdf(open.email))
  const { login, recoveryCode } = await storeNewPassword(open, current, wish.newPassword, newKdf())
  context.open = { ...open, login, recoveryCode }
  return { recoveryCode: recoveryCode.reveal() }
}

/** For acts that the platform wants the password for; asked for again unless it was typed since the app was opened. */
export async function provePassword(context: SessionContext, password: string): Promise<void> {
  const open = requireOpen(context)
  const login = await deriveLogin(password, await context.calls.readKdf(open.email))
  // Opening a session is how the platform checks a password.
  await context.access.open({ email: open.email, login, deviceId: await ownDeviceId(context, open.email) })
  context.open = { ...open, login, isReproven: true }
  context.changed('session')
}
