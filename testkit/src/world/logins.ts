import type { UserId } from '@sealpost/kernel'
import { deriveLogin, newKdf, passwordChangeBody } from '@sealpost/vault'
import { TEST_KDF } from '../people/app-origin.ts'
import type { Answer } from '../people/call.ts'
import { bodyOf } from '../people/call.ts'
import { prepareSignUp, type TestUser } from '../people/people.ts'
import { type Refreshed, refreshWith } from '../people/sessions.ts'
import type { Account } from './account.ts'
import type { World } from './world.ts'

/** A person in eu who has registered and got the code by mail, but has not confirmed it. */
export async function beginRegistration(world: World) {
  const { user, body } = await prepareSignUp({ userType: 'person', region: 'eu' })
  const url = world.frontDoor.url
  const begun = await bodyOf(world.anonymous('POST', '/api/account/register', { body, url }), 202)
  const code = await world.mail.waitForCode(user.email, 'confirmation')
  const sql = `select token_hash as "tokenHash", email_hash as "emailHash", user_id as "userId"
    from login.registration where email = $1`
  const [row] = await world.rows<{ tokenHash: Buffer; emailHash: string; userId: UserId }>(sql, [user.email])
  if (row === undefined) throw new Error(`no registration of ${user.email}`)
  const { tokenHash, emailHash, userId } = row
  const token = String(begun['registration_token'])
  return { user, code, token, userId, name: { tokenHash, emailHash } }
}

type BegunRegistration = Awaited<ReturnType<typeof beginRegistration>>

export function endRegistration(
  world: World,
  { user, code, token }: Pick<BegunRegistration, 'user' | 'code' | 'token'>,
): Promise<Answer> {
  const body = { email: user.email, code, registration_token: token }
  return world.anonymous('POST', '/api/account/register/confirm', { body, url: world.frontDoor.url })
}

/** The request of a device for a new password. */
export async function newPassword(user: TestUser, password: string) {
  const kdf = newKdf(TEST_KDF)
  const [current, next] = [await deriveLogin(user.password, user.kdf), await deriveLogin(password, kdf)]
  const { keys, recoveryKeys } = user
  const body = await passwordChangeBody({
    current,
    next,
    kdf,
    encryptedPrivateKey: keys.encryptedPrivateKey,
    ...(recoveryKeys === null ? {} : { encryptedRecoveryKey: recoveryKeys.encryptedPrivateKey }),
  })
  return { body, next }
}

/** Makes `delegate` an admin of the company. */
export async function addDelegate(company: Account, { shareCode }: Account): Promise<void> {
  const body = { share_code: shareCode, role: 'admin', services: [] }
  await bodyOf(company.calls('POST', '/api/delegates', { body }), 201)
}

/** Refreshes the session of a person for the portal of the company. */
export function actFor(world: World, company: Account, cookies: readonly string[]): Promise<Refreshed> {
  return refreshWith(world.frontDoor.url, cookies, 'person', { acting_for: company.userId })
}
