import type { PersonaLogin } from '../persona-logins.ts'
import { harborline, mara, northwind } from '../personas.ts'
import { startTwoRegions, type TwoRegions } from '../two-regions.ts'
import { type LoggedIn, logIn } from './people.ts'

/** Two companies and a person who are logged in, and the calls that they make. */
export interface Office {
  readonly two: TwoRegions
  /** northwind lives in eu, harborline and mara in us. */
  readonly northwind: LoggedIn
  readonly harborline: LoggedIn
  readonly mara: LoggedIn
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

const MANY_LOGINS = { RATE_LOGIN_IP: '600', RATE_LOGIN_ACCOUNT: '600', RATE_TOKEN: '6000' }

export async function openOffice(settings: Readonly<Record<string, string>> = {}): Promise<Office> {
  const two = await startTwoRegions({ ...MANY_LOGINS, ...settings })
  const enter = ({ email, login }: { readonly email: string; readonly login: PersonaLogin }): Promise<LoggedIn> =>
    logIn(two, { email, authVerifier: login.authVerifier })
  return {
    two,
    northwind: await enter(northwind),
    harborline: await enter(harborline),
    mara: await enter(mara),
    close: () => two.close(),
  }
}

export interface Sent {
  readonly body?: unknown
  readonly key?: string
}

/** With the token of `who`, or without one at an address. */
export async function call(
  who: Pick<LoggedIn, 'token' | 'apiUrl'> | string,
  method: string,
  path: string,
  { body, key }: Sent = {},
): Promise<Answer> {
  const { token, apiUrl } = typeof who === 'string' ? { token: null, apiUrl: who } : who
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const answer = await fetch(`${apiUrl}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, text, body: membersOf(text), headers: answer.headers }
}

function membersOf(text: string): Record<string, unknown> {
  const value: unknown = text === '' ? null : JSON.parse(text)
  return typeof value === 'object' ? { ...value } : {}
}

/** An account client of the company behind this login, with a token of its own. */
export async function openAccountClient(
  two: TwoRegions,
  owner: LoggedIn,
  capabilities: readonly string[],
): Promise<Pick<LoggedIn, 'token' | 'apiUrl'>> {
  const made = await call(owner, 'POST', '/api/account/clients', { body: { name: 'a test', capabilities } })
  const { client_id: clientId, client_secret: clientSecret } = made.body
  if (made.status !== 201) throw new Error(`no account client: ${made.text}`)
  const token = await two.token({ clientId: String(clientId), clientSecret: String(clientSecret) })
  return { token, apiUrl: owner.apiUrl }
}
