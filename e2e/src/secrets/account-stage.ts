import { base32Bytes, oneTimeCode, signUp, TEST_KDF, type TestUser } from '@sealpost/testkit'
import { type AccountKeys, deriveLogin, newKdf, passwordChangeBody } from '@sealpost/vault'
import type { Jar, Traveller } from './traveller.ts'

/** A company user who is logged in, and what the rest of the journey needs of them. */
export interface Signed {
  readonly user: TestUser
  readonly token: string
  readonly apiUrl: string
  readonly jar: Jar
  /** Unused backup codes of the second factor. */
  readonly backupCodes: readonly string[]
}

/** Registration, wrong passwords, login, refresh, second factor. */
export async function openAccount(
  traveller: Traveller,
  userType: 'person' | 'company',
  region: 'eu' | 'us',
): Promise<Signed> {
  const { installation, safe } = traveller
  const password = `planted password of a ${userType} "äß%" 7f3c1e`
  const user = await signUp(installation, { userType, region, password })
  safe.keep(`the password of a ${userType}`, password)
  safe.keep(`the verifier of a ${userType}`, Buffer.from(user.authVerifier, 'base64'))
  keepKeys(traveller, userType, user.keys)
  if (user.recoveryKeys !== null) keepKeys(traveller, 'recovery', user.recoveryKeys)
  await guessPasswords(traveller, user)
  const jar: Jar = { cookies: [] }
  const first = await logIn(traveller, user, jar)
  const backupCodes = await enableSecondFactor(traveller, user, first)
  await logIn(traveller, user, { cookies: [] }, { otp: backupCodes[0] ?? '', trust_device: true })
  const refreshed = await traveller.send(`${installation.frontDoor.url}/api/session/refresh`, {
    json: { user_type: userType },
    jar,
    expect: 200,
    givesSecret: true,
  })
  keepSession(traveller, refreshed.body, jar)
  return {
    user,
    jar,
    backupCodes: backupCodes.slice(1),
    token: String(refreshed.body['access_token']),
    apiUrl: first.apiUrl,
  }
}

/** Another password, another address, a recovery code; all by the owner. */
export async function changeAccount(traveller: Traveller, signed: Signed): Promise<void> {
  const { user, token: bearer, apiUrl } = signed
  const next = await changePassword(traveller, signed)
  const email = `moved-${user.email}`
  await traveller.send(`${apiUrl}/api/account/email`, {
    method: 'PUT',
    bearer,
    json: { email, auth_verifier: next },
    expect: 200,
  })
  await confirm(traveller, signed, email, '/api/account/email/confirm')
  if (user.userType === 'company') {
    await traveller.send(`${apiUrl}/api/account/recover/code`, { bearer, json: {}, expect: 202 })
    await recover(traveller, signed, email, next)
  }
  await traveller.send(`${apiUrl}/api/account/delete-request`, { bearer, json: {}, expect: 202 })
  traveller.safe.keepDigits('the code of a deletion', await traveller.installation.mail.waitForCode(email))
}

async function guessPasswords(traveller: Traveller, user: TestUser): Promise<void> {
  const wrong = Buffer.from('a planted, wrong verifier 000001')
  traveller.safe.keep('a wrong verifier', wrong)
  const json = { email: user.email, auth_verifier: wrong.toString('base64') }
  for (const known of [json, { ...json, email: `nobody-${user.email}` }])
    await traveller.send(`${traveller.installation.frontDoor.url}/api/session`, {
      json: known,
      jar: { cookies: [] },
      expect: 401,
    })
}

async function logIn(
  traveller: Traveller,
  user: TestUser,
  jar: Jar,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ token: string; apiUrl: string }> {
  const json = { email: user.email, auth_verifier: user.authVerifier, ...more }
  const { body } = await traveller.send(`${traveller.installation.frontDoor.url}/api/session`, {
    json,
    jar,
    expect: 200,
    givesSecret: true,
  })
  keepSession(traveller, body, jar)
  return { token: String(body['access_token']), apiUrl: String(body['api_url']) }
}

async function enableSecondFactor(
  { send, safe }: Traveller,
  user: TestUser,
  { token: bearer, apiUrl }: { token: string; apiUrl: string },
): Promise<readonly string[]> {
  const url = `${apiUrl}/api/account/2fa`
  const begun = await send(url, { bearer, json: { auth_verifier: user.authVerifier }, expect: 200, givesSecret: true })
  const secret = String(begun.body['secret'])
  safe.keep('a TOTP secret', secret)
  safe.keep('a TOTP secret', base32Bytes(secret))
  const code = oneTimeCode(secret, Date.now())
  safe.keepDigits('a one-time code', code)
  const { body } = await send(url, { bearer, json: { code }, expect: 200, givesSecret: true })
  const codes = Array.isArray(body['backup_codes']) ? body['backup_codes'].map(String) : []
  for (const backup of codes) safe.keep('a backup code', backup)
  return codes
}

async function changePassword(traveller: Traveller, { user, token: bearer, apiUrl }: Signed): Promise<string> {
  const password = 'another planted password, the new one b2d94a'
  traveller.safe.keep('a new password', password)
  const kdf = newKdf(TEST_KDF)
  const [current, next] = [await deriveLogin(user.password, user.kdf), await deriveLogin(password, kdf)]
  const authVerifier = next.authVerifier.reveal()
  traveller.safe.keep('a new verifier', Buffer.from(authVerifier, 'base64'))
  const json = await passwordChangeBody({
    current,
    next,
    kdf,
    encryptedPrivateKey: user.keys.encryptedPrivateKey,
    ...(user.recoveryKeys === null ? {} : { encryptedRecoveryKey: user.recoveryKeys.encryptedPrivateKey }),
  })
  await traveller.send(`${apiUrl}/api/account/password`, { method: 'PUT', bearer, json, expect: 200 })
  return authVerifier
}

async function recover(
  { send, safe, installation }: Traveller,
  { token: bearer, apiUrl }: Signed,
  email: string,
  authVerifier: string,
): Promise<void> {
  const code = await installation.mail.waitForCode(email)
  safe.keepDigits('the code of a recovery', code)
  const { body } = await send(`${apiUrl}/api/account/recovery-copies`, { bearer, expect: 200 })
  const copies: readonly unknown[] = Array.isArray(body['items']) ? body['items'] : []
  const json = { copy_id: idOf(copies[0]), auth_verifier: authVerifier, code }
  await send(`${apiUrl}/api/account/recover`, { bearer, json, expect: 200 })
}

async function confirm(
  { send, safe, installation }: Traveller,
  signed: Signed,
  email: string,
  path: string,
): Promise<void> {
  const code = await installation.mail.waitForCode(email)
  safe.keepDigits('the code of an address', code)
  const wrong = code === '000000' ? '000001' : '000000'
  await send(`${signed.apiUrl}${path}`, { bearer: signed.token, json: { code: wrong }, expect: 400 })
  await send(`${signed.apiUrl}${path}`, { bearer: signed.token, json: { code }, expect: 200 })
}

function keepSession({ safe }: Traveller, body: Readonly<Record<string, unknown>>, jar: Jar): void {
  safe.keepToken('an access token', String(body['access_token']))
  for (const cookie of jar.cookies) safe.keepToken('a cookie', cookie.slice(cookie.indexOf('=') + 1))
}

function keepKeys({ safe }: Traveller, whose: string, keys: AccountKeys): void {
  // Its middle: the beginning of any such key says only that it is one.
  safe.keep(`the private key of a ${whose}`, keys.privateKey.reveal().slice(400, 460))
}

function idOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : ''
}
