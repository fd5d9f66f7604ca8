import { createAccountKeys, deriveRecoverableLogin, type Login, newKdf, registrationBody } from '@sealpost/vault'
import { refuseHere } from '@sealpost/web-app/worker'
import type { SessionContext } from '../context.ts'
import type { RegionRecord } from '../session-calls.ts'
import { openWithLogin } from './open-account.ts'
import { rememberAccount } from './session.ts'

export interface RegistrationWish {
  readonly displayName: string
  readonly email: string
  readonly password: string
  readonly region: string
  readonly language: string
}

export function listRegions({ calls }: SessionContext): Promise<readonly RegionRecord[]> {
  return calls.regions()
}

/** Makes the keys here and sends them wrapped; a mail with a code is on its way afterwards. */
export async function register(context: SessionContext, wish: RegistrationWish): Promise<void> {
  const { password, ...about } = wish
  const kdf = newKdf()
  const { login, recoveryCode } = await deriveRecoverableLogin(password, kdf)
  const keys = await createAccountKeys(login.wrapKey)
  const kind = await kindOf(context, login)
  const token = await context.calls.register(registrationBody({ ...about, ...kind, kdf, login, keys }))
  context.pending = { email: wish.email, token, kdf, login, keys, recoveryCode }
}

async function kindOf({ userType }: SessionContext, { wrapKey }: Login) {
  if (userType === 'person') return { userType }
  return { userType, recoveryKeys: await createAccountKeys(wrapKey, 'recovery') }
}

/** Answers the recovery code, which is shown once and then tried. */
export async function confirmRegistration(
  context: SessionContext,
  code: string,
): Promise<{ readonly recoveryCode: string }> {
  const { pending } = context
  if (pending === null) throw refuseHere('no_registration')
  const { email, token, login, recoveryCode } = pending
  await context.calls.confirm({ email, code, token })
  await context.access.open({ email, login })
  await openWithLogin(context, login, recoveryCode)
  await rememberAccount(context)
  context.pending = null
  return { recoveryCode: recoveryCode.reveal() }
}
