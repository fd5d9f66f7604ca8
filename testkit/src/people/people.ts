import type { RegionCode, UserId } from '@sealpost/kernel'
import { createAccountKeys, deriveLogin, type KdfParameters, newKdf, registrationBody } from '@sealpost/vault'
import type { AccountKeys } from '@sealpost/vault'
import type { MailSink } from '../mail-sink.ts'
import { APP_ORIGIN, TEST_KDF } from './app-origin.ts'
import { bodyOf, call, exchangeRaw, membersOf, type SessionAnswer } from './call.ts'

export type UserType = 'person' | 'company'

/** Where people sign up and log in: two regions in this process, or an installation of real ones. */
export interface PeoplePlace {
  readonly frontDoor: { readonly url: string }
  readonly mail: MailSink
}

export interface TestUser {
  readonly userId: UserId
  readonly userType: UserType
  readonly region: RegionCode
  readonly email: string
  readonly password: string
  readonly displayName: string
  readonly shareCode: string
  readonly kdf: KdfParameters
  readonly authVerifier: string
  readonly keys: AccountKeys
  /** Companies only. */
  readonly recoveryKeys: AccountKeys | null
}

export interface SignUp {
  readonly userType: UserType
  readonly region: 'eu' | 'us'
  readonly email?: string
  readonly password?: string
  readonly displayName?: string
}

/** Who can log in: a user who signed up, or a persona. */
export type Credentials = Pick<TestUser, 'email' | 'authVerifier'>

export interface LogIn {
  readonly otp?: string
  readonly trustDevice?: boolean
  /** The trusted device on which the session is used. */
  readonly deviceId?: string
  /** What the browser still has: `name=value`. */
  readonly cookies?: readonly string[]
  /** Another front door than the place's own. */
  readonly frontDoorUrl?: string
  /** The source address that a trusted proxy reports. */
  readonly from?: string
  readonly userAgent?: string
}

export interface LoggedIn {
  readonly token: string
  readonly apiUrl: string
  /** `name=value`, as the browser sends them back. */
  readonly cookies: readonly string[]
  readonly sid: string
}

let people = 0

/** Through the real wire: the registration, the mail, the code. */
export async function signUp(place: PeoplePlace, wanted: SignUp): Promise<TestUser> {
  const { user, body } = await prepareSignUp(wanted)
  const { url } = place.frontDoor
  const { registration_token } = await bodyOf(call(url, 'POST', '/api/account/register', { body }), 202)
  const code = await place.mail.waitForCode(user.email, 'confirmation')
  const confirmation = { email: user.email, code, registration_token }
  const made = await bodyOf(call(url, 'POST', '/api/account/register/confirm', { body: confirmation }), 201)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  return { ...user, userId: made['id'] as UserId, shareCode: String(made['share_code']) }
}

/** A user with keys who has not registered yet, and the body that would do it. */
export async function prepareSignUp(wanted: SignUp) {
  people += 1
  const email = wanted.email ?? `${wanted.userType}-${process.pid}-${people}@people.example`
  const displayName = wanted.displayName ?? `User ${people}`
  const secrets = await (wanted.password === undefined ? nextSecrets() : makeSecrets(wanted.password))
  const { password, kdf, login } = secrets
  const keys = await secrets.keys()
  const recoveryKeys = wanted.userType === 'company' ? await secrets.recoveryKeys() : null
  const common = { email, displayName, language: 'en', region: wanted.region, kdf, login, keys }
  const body = registrationBody(
    recoveryKeys === null ? { ...common, userType: 'person' } : { ...common, userType: 'company', recoveryKeys },
  )
  const authVerifier = login.authVerifier.reveal()
  const user = {
    userType: wanted.userType,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the two that every test installation has
    region: wanted.region as RegionCode,
    email,
    password,
    displayName,
    kdf,
    authVerifier,
    keys,
    recoveryKeys,
  }
  return { user, body }
}

interface LoginSecrets {
  readonly password: string
  readonly kdf: KdfParameters
  readonly login: Awaited<ReturnType<typeof deriveLogin>>
  keys(): Promise<AccountKeys>
  recoveryKeys(): Promise<AccountKeys>
}

/**
 * Deriving and RSA keys are most of a sign-up. So many people in a row have passwords and keys of their own; then the
 * first come again.
 */
const RING = 16
const ring: Promise<LoginSecrets>[] = []

function nextSecrets(): Promise<LoginSecrets> {
  const place = people % RING
  return (ring[place] ??= makeSecrets(`a password of person ${place}`))
}

async function makeSecrets(password: string): Promise<LoginSecrets> {
  const kdf = newKdf(TEST_KDF)
  const login = await deriveLogin(password, kdf)
  let keys: Promise<AccountKeys> | null = null
  let recoveryKeys: Promise<AccountKeys> | null = null
  return {
    password,
    kdf,
    login,
    keys: () => (keys ??= createAccountKeys(login.wrapKey)),
    recoveryKeys: () => (recoveryKeys ??= createAccountKeys(login.wrapKey, 'recovery')),
  }
}

/** The verifier as a browser would make it: with the parameters that the front door answers. */
export async function deriveVerifier(place: PeoplePlace, email: string, password: string): Promise<string> {
  const path = `/api/session/params?email=${encodeURIComponent(email)}`
  const { kdf } = await bodyOf(call(place.frontDoor.url, 'GET', path))
  return (await deriveLogin(password, kdf)).authVerifier.reveal()
}

export async function logIn(place: PeoplePlace, user: Credentials, options: LogIn = {}): Promise<LoggedIn> {
  const answering = tryLogIn(place, user, options)
  const body = await bodyOf(answering)
  const token = String(body['access_token'])
  const cookies = mergeCookies(options.cookies ?? [], (await answering).setCookies)
  return { token, apiUrl: String(body['api_url']), cookies, sid: String(claimsOf(token)['sid']) }
}

/** Whatever is answered. */
export function tryLogIn(place: PeoplePlace, user: Credentials, options: LogIn = {}): Promise<SessionAnswer> {
  const { otp, trustDevice, deviceId, cookies = [], frontDoorUrl, from, userAgent } = options
  const body = {
    email: user.email,
    auth_verifier: user.authVerifier,
    ...(otp === undefined ? {} : { otp }),
    ...(trustDevice === undefined ? {} : { trust_device: trustDevice }),
    ...(deviceId === undefined ? {} : { device_id: deviceId }),
  }
  return callSession(frontDoorUrl ?? place.frontDoor.url, 'POST', '/api/session', {
    body,
    cookies,
    ...(from === undefined ? {} : { from }),
    ...(userAgent === undefined ? {} : { userAgent }),
  })
}

export interface SessionCall {
  readonly body?: unknown
  readonly cookies?: readonly string[]
  /** Null sends none. */
  readonly origin?: string | null
  /** The source address that a trusted proxy reports. */
  readonly from?: string
  readonly userAgent?: string
}

/** A call as a page of the web apps makes it. */
export function callSession(
  frontDoorUrl: string,
  method: string,
  path: string,
  { body, cookies = [], origin = APP_ORIGIN, from, userAgent }: SessionCall = {},
): Promise<SessionAnswer> {
  const headers = {
    ...(origin === null ? {} : { origin }),
    ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const { hostname, port } = new URL(frontDoorUrl)
  return exchangeRaw({ hostname, port, path, method, headers }, body === undefined ? undefined : JSON.stringify(body))
}

/** What a browser holds after these Set-Cookie lines. */
export function mergeCookies(held: readonly string[], lines: readonly string[]): readonly string[] {
  const jar = new Map(held.map((pair) => [nameOf(pair), pair]))
  for (const line of lines) {
    const [pair = ''] = line.split(';')
    if (/;\s*max-age=0\b/i.test(line)) jar.delete(nameOf(pair))
    else jar.set(nameOf(pair), pair)
  }
  return [...jar.values()]
}

/** Unverified: for tests that want to know what a token says. */
export function claimsOf(token: string): Record<string, unknown> {
  return membersOf(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

function nameOf(pair: string): string {
  return pair.slice(0, pair.indexOf('='))
}
