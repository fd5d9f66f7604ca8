import type { RegionRecord } from '@sealpost/session'
import { createAccountKeys, deriveRecoverableLogin, newKdf, registrationBody } from '@sealpost/vault'
import { refuseHere } from '@sealpost/web-app/worker'
import type { PersonContext } from '../context.ts'
import { openWithLogin } from './open-account.ts'
import { rememberAccount } from './session.ts'

export interface RegistrationWish {
  readonly displayName: string
  readonly email: string
  readonly password: string
  readonly region: string
  readonly language: string
}

export function listRegions({ calls }: PersonContext): Promise<readonly RegionRecord[]> {
  return calls.regions()
}

/** Makes the keys here and sends them wrapped; a mail with a code is on its way afterwards. */
export async function register(context: PersonContext, wish: RegistrationWish): Promise<void> {
  const { password, ...about } = wish
  const kdf = newKdf()
  const { login, recoveryCode } = await deriveRecoverableLogin(password, kdf)
  const keys = await createAccountKeys(login.wrapKey)
  const token = await context.calls.register(registrationBody({ ...about, userType: 'person', kdf, login, keys }))
  context.pending = { email: wish.email, token, kdf, login, keys, recoveryCode }
}

/** Answers the recovery code, which is shown once and then tried. */
export async function confirmRegistration(
  context: PersonContext,
  code: string,
): Promise<{ readonly recoveryCode: string }> {
  const { pending } = context
  if (pending === null) throw refuseHere('no_registration')
  const { email, token, login, recoveryCode } = pending
  await context.calls.confirm({ email, code, token })
  context.access.take(await context.calls.open({ email, login }))
  await openWithLogin(context, login, recoveryCode)
  await rememberAccount(context)
  context.pending = null
  return { recoveryCode: recoveryCode.reveal() }
}
