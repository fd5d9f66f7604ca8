import { type LoggedIn, type LogIn, logIn, type SignUp, signUp, type TestUser } from './people/index.ts'
import { startTwoRegions, type TwoRegions } from './two-regions.ts'

/** Nobody is to be held up by limits; tests of limits make their own. */
export function startWithoutLimits(settings: Readonly<Record<string, string>> = {}): Promise<TwoRegions> {
  const many = { RATE_LOGIN_IP: '60000', RATE_LOGIN_ACCOUNT: '60000', RATE_TOKEN: '60000', RATE_DATA: '60000' }
  return startTwoRegions({ ...many, ...settings })
}

/** What came back from one call with a bearer token. */
export interface ApiAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly text: string
}

export interface Owner extends LoggedIn {
  readonly user: TestUser
  call(method: string, path: string, body?: unknown): Promise<ApiAnswer>
}

/** Somebody who signed up just now and is logged in. */
export async function newOwner(
  two: TwoRegions,
  { userType = 'person', region = 'eu', email }: Partial<SignUp> = {},
): Promise<Owner> {
  const user = await signUp(two, { userType, region, ...(email === undefined ? {} : { email }) })
  return ownerOf(two, user)
}

export async function ownerOf(two: TwoRegions, user: TestUser, options: LogIn = {}): Promise<Owner> {
  const session = await logIn(two, user, options)
  return { ...session, user, call: (method, path, body) => callApi(session.apiUrl, session.token, method, path, body) }
}

export async function callApi(
  apiUrl: string,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const answer = await fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const parsed: unknown = text === '' ? {} : JSON.parse(text)
  const members = typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  return { status: answer.status, body: members, text }
}
