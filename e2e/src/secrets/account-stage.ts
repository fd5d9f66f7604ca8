import { base32Bytes, oneTimeCode, signUp, TEST_KDF, type TestUser } from '@sealpost/testkit'
import { type AccountKeys, deriveLogin, newKdf, passwordChangeBody } from '@sealpost/vault'
import type { Jar, RecordingClient } from './recording-client.ts'

/** A logged-in user. */
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
  http: RecordingClient,
  userType: 'person' | 'company',
  region: 'eu' | 'us',
): Promise<Signed> {
  const { installation, secrets } = http
  const password = `planted password of a ${userType} "äß%" 7f3c1e`
  const user = await signUp(installation, { userType, region, password })
  secrets.keep(`the password of a ${userType}`, password)
  secrets.keep(`the verifier of a ${userType}`, Buffer.from(user.authVerifier, 'base64'))
  keepKeys(http, userType, user.keys)
  if (user.recoveryKeys !== null) keepKeys(http, 'recovery', user.recoveryKeys)
  await guessPasswords(http, user)
  const jar: Jar = { cookies: [] }
  const first = await logIn(http, user, jar)
  const backupCodes = await enableSecondFactor(http, user, first)
  await logIn(http, user, { cookies: [] }, { otp: backupCodes[0] ?? '', trust_device: true })
  const refreshed = await http.send(`${installation.frontDoor.url}/api/session/refresh`, {
    json: { user_type: userType },
    jar,
    expect: 200,
    givesSecret: true,
  })
  keepSession(http, refreshed.body, jar)
  return {
    user,
    jar,
    backupCodes: backupCodes.slice(1),
    token: String(refreshed.body['access_token']),
    apiUrl: first.apiUrl,
  }
}

/** The owner changes the password and the address and requests a recovery code. */
export async function changeAccount(http: RecordingClient, signed: Signed): Promise<void> {
  const { user, token: bearer, apiUrl } = signed
  const next = await changePassword(http, signed)
  const email = `moved-${user.email}`
  await http.send(`${apiUrl}/api/account/email`, {
    method: 'PUT',
    bearer,
    json: { email, auth_verifier: next },
    expect: 200,
  })
  await confirm(http, signed, email, '/api/account/email/confirm')
  if (user.userType === 'company') {
    await http.send(`${apiUrl}/api/account/recover/code`, { bearer, json: {}, expect: 202 })
    await recover(http, signed, email, next)
  }
  await http.send(`${apiUrl}/api/account/delete-request`, { bearer, json: {}, expect: 202 })
  http.secrets.keepDigits('the code of a deletion', await http.installation.mail.waitForCode(email))
}

async function guessPasswords(http: RecordingClient, user: TestUser): Promise<void> {
  const wrong = Buffer.from('a planted, wrong verifier 000001')
  http.secrets.keep('a wrong verifier', wrong)
  const json = { email: user.email, auth_verifier: wrong.toString('base64') }
  for (const known of [json, { ...json, email: `unknown-${user.email}` }])
    await http.send(`${http.installation.frontDoor.url}/api/session`, {
      json: known,
      jar: { cookies: [] },
      expect: 401,
    })
}

async function logIn(
  http: RecordingClient,
  user: TestUser,
  jar: Jar,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ token: string; apiUrl: string }> {
  const json = { email: user.email, auth_verifier: user.authVerifier, ...more }
  const { body } = await http.send(`${http.installation.frontDoor.url}/api/session`, {
    json,
    jar,
    expect: 200,
    givesSecret: true,
  })
  keepSession(http, body, jar)
  return { token: String(body['access_token']), apiUrl: String(body['api_url']) }
}

async function enableSecondFactor(
  { send, secrets }: RecordingClient,
  user: TestUser,
  { token: bearer, apiUrl }: { token: string; apiUrl: string },
): Promise<readonly string[]> {
  const url = `${apiUrl}/api/account/2fa`
  const begun = await send(url, { bearer, json: { auth_verifier: user.authVerifier }, expect: 200, givesSecret: true })
  const secret = String(begun.body['secret'])
  secrets.keep('a TOTP secret', secret)
  secrets.keep('a TOTP secret', base32Bytes(secret))
  const code = oneTimeCode(secret, Date.now())
  secrets.keepDigits('a one-time code', code)
  const { body } = await send(url, { bearer, json: { code }, expect: 200, givesSecret: true })
  const codes = Array.isArray(body['backup_codes']) ? body['backup_codes'].map(String) : []
  for (const backup of codes) secrets.keep('a backup code', backup)
  return codes
}

async function changePassword(http: RecordingClient, { user, token: bearer, apiUrl }: Signed): Promise<string> {
  const password = 'another planted password, the new one b2d94a'
  http.secrets.keep('a new password', password)
  const kdf = newKdf(TEST_KDF)
  const [current, next] = [await deriveLogin(user.password, user.kdf), await deriveLogin(password, kdf)]
  const authVerifier = next.authVerifier.reveal()
  http.secrets.keep('a new verifier', Buffer.from(authVerifier, 'base64'))
  const json = await passwordChangeBody({
    current,
    next,
    kdf,
    encryptedPrivateKey: user.keys.encryptedPrivateKey,
    ...(user.recoveryKeys === null ? {} : { encryptedRecoveryKey: user.recoveryKeys.encryptedPrivateKey }),
  })
  await http.send(`${apiUrl}/api/account/password`, { method: 'PUT', bearer, json, expect: 200 })
  return authVerifier
}

async function recover(
  { send, secrets, installation }: RecordingClient,
  { token: bearer, apiUrl }: Signed,
  email: string,
  authVerifier: string,
): Promise<void> {
  const code = await installation.mail.waitForCode(email)
  secrets.keepDigits('the code of a recovery', code)
  const { body } = await send(`${apiUrl}/api/account/recovery-copies`, { bearer, expect: 200 })
  const copies: readonly unknown[] = Array.isArray(body['items']) ? body['items'] : []
  const json = { copy_id: idOf(copies[0]), auth_verifier: authVerifier, code }
  await send(`${apiUrl}/api/account/recover`, { bearer, json, expect: 200 })
}

async function confirm(
  { send, secrets, installation }: RecordingClient,
  signed: Signed,
  email: string,
  path: string,
): Promise<void> {
  const code = await installation.mail.waitForCode(email)
  secrets.keepDigits('the code of an address', code)
  const wrong = code === '000000' ? '000001' : '000000'
  await send(`${signed.apiUrl}${path}`, { bearer: signed.token, json: { code: wrong }, expect: 400 })
  await send(`${signed.apiUrl}${path}`, { bearer: signed.token, json: { code }, expect: 200 })
}

function keepSession({ secrets }: RecordingClient, body: Readonly<Record<string, unknown>>, jar: Jar): void {
  secrets.keepToken('an access token', String(body['access_token']))
  for (const cookie of jar.cookies) secrets.keepToken('a cookie', cookie.slice(cookie.indexOf('=') + 1))
}

function keepKeys({ secrets }: RecordingClient, whose: string, keys: AccountKeys): void {
  // The middle of the key: the beginning is the same for all keys.
  secrets.keep(`the private key of a ${whose}`, keys.privateKey.reveal().slice(400, 460))
}

function idOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : ''
}
