import { NetworkError, SealpostError, UnexpectedAnswerError } from '@sealpost/sdk'
import type { Login, RegistrationBody } from '@sealpost/vault'

export type UserType = 'person' | 'company'

/** A token and where it is used. */
export interface Access {
  readonly token: string
  readonly apiUrl: string
  readonly expiresInSeconds: number
}

export interface RegionRecord {
  readonly code: string
  readonly name: string
  readonly isInOrder: boolean
}

export interface LogIn {
  readonly email: string
  readonly login: Login
  readonly otp?: string
  /** This browser needs no one-time code for 30 days. */
  readonly trustDevice?: boolean
  /** The trusted device on which the app runs: removing it ends the session. */
  readonly deviceId?: string | undefined
}

/** The calls of a web app to the front door before it has a token. */
export interface SessionCalls {
  /** With which parameters the password of an address is derived. */
  readKdf(email: string): Promise<unknown>
  open(login: LogIn): Promise<Access>
  /** With the id of a company: a token of a delegate, for the portal of that company. */
  refresh(userType: UserType, actingFor?: string): Promise<Access>
  close(userType: UserType): Promise<void>
  /** Takes a trusted device from the list of its account. */
  removeDevice(access: Access, deviceId: string): Promise<void>
  /** Mails a code and answers the token that belongs to it. */
  register(body: RegistrationBody): Promise<string>
  confirm(confirmation: { readonly email: string; readonly code: string; readonly token: string }): Promise<void>
  regions(): Promise<readonly RegionRecord[]>
}

export function sessionCalls(frontDoorUrl: string, fetch = globalThis.fetch): SessionCalls {
  const call = (method: string, path: string, body?: unknown): Promise<Members> =>
    send(fetch, method, `${frontDoorUrl}${path}`, body)
  return {
    async readKdf(email) {
      return (await call('GET', `/api/session/params?email=${encodeURIComponent(email)}`))['kdf']
    },
    open: async ({ email, login, otp, trustDevice, deviceId }) =>
      accessOf(
        await call('POST', '/api/session', {
          email,
          auth_verifier: login.authVerifier.reveal(),
          ...(otp === undefined ? {} : { otp }),
          ...(trustDevice === undefined ? {} : { trust_device: trustDevice }),
          ...(deviceId === undefined ? {} : { device_id: deviceId }),
        }),
      ),
    refresh: async (userType, actingFor) =>
      accessOf(
        await call('POST', '/api/session/refresh', {
          user_type: userType,
          ...(actingFor === undefined ? {} : { acting_for: actingFor }),
        }),
      ),
    async close(userType) {
      await call('DELETE', `/api/session?user_type=${userType}`)
    },
    async removeDevice({ apiUrl, token }, deviceId) {
      const url = `${apiUrl}/api/account/trusted-devices/${encodeURIComponent(deviceId)}`
      await send(fetch, 'DELETE', url, undefined, { authorization: `Bearer ${token}` })
    },
    async register(body) {
      return textOf((await call('POST', '/api/account/register', body))['registration_token'])
    },
    async confirm({ email, code, token }) {
      await call('POST', '/api/account/register/confirm', { email, code, registration_token: token })
    },
    async regions() {
      const { items } = await call('GET', '/api/regions')
      return Array.isArray(items) ? items.map(regionOf) : []
    },
  }
}

type Members = Readonly<Record<string, unknown>>

/** One call at a time may change the cookie: a server that never answers must not hold up all later ones. */
const LONGEST_CALL_MS = 30_000

async function send(
  fetch: typeof globalThis.fetch,
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Members> {
  const requestId = crypto.randomUUID()
  const ofBody = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(url, {
    method,
    headers: { 'x-request-id': requestId, ...ofBody, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(LONGEST_CALL_MS),
    redirect: 'error',
    // Cookies are accepted at `/api/session` only, and no other route allows a page to send them.
    credentials: new URL(url).pathname.startsWith('/api/session') ? 'include' : 'omit',
    cache: 'no-store',
  }).catch((error: unknown) => {
    throw new NetworkError('the front door did not answer', requestId, error)
  })
  const members = membersOf(await answer.json().catch(() => null))
  if (answer.ok) return members
  throw refusalOf(answer, members, requestId)
}

function refusalOf({ status, headers }: Response, members: Members, requestId: string): Error {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const about = { status, requestId, retryAfterSeconds: Number.isNaN(seconds) ? undefined : seconds }
  const { error_key: key, error, ...details } = members
  if (typeof key !== 'string') return new UnexpectedAnswerError(`the front door answered ${status}`, about)
  return new SealpostError(typeof error === 'string' ? error : key, { ...about, key, details })
}

function accessOf(members: Members): Access {
  const { access_token: token, api_url: apiUrl, expires_in: seconds } = members
  return { token: textOf(token), apiUrl: textOf(apiUrl), expiresInSeconds: Number(seconds) }
}

function regionOf(row: unknown): RegionRecord {
  const { code, name, status } = membersOf(row)
  return { code: textOf(code), name: textOf(name), isInOrder: status === 'ok' }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError('the front door left out a member of its answer')
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
