import { AccountClient, type OpenAccountKey } from '@sealpost/sdk'
import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { membersOf } from './answer-members.ts'
import { CliError } from './terminal.ts'

/** The company's own login, as its user types it at the portal. */
export interface PortalLogin {
  readonly frontDoorUrl: string
  /** The origin of the portal: the platform opens sessions for its web apps only. */
  readonly appOrigin: string
  readonly email: string
  readonly password: string
  readonly otp: string | null
}

export interface Portal {
  readonly account: AccountClient
  /** Opens the private key of the account with the password, on this machine. */
  readonly open: OpenAccountKey
}

/** Logs in, acts, and ends the session, also after a failure. */
export async function atPortal<T>(login: PortalLogin, act: (portal: Portal) => Promise<T>): Promise<T> {
  const { frontDoorUrl: door, appOrigin: origin, email, password, otp } = login
  const { body: params } = await request(`${door}/api/session/params?email=${encodeURIComponent(email)}`, 'GET', {})
  const { authVerifier, wrapKey } = await deriveLogin(password, params['kdf'])
  const credentials = { email, auth_verifier: authVerifier.reveal(), ...(otp === null ? {} : { otp }) }
  const { body, cookie } = await request(`${door}/api/session`, 'POST', { origin }, credentials)
  const access = { token: String(body['access_token']), apiUrl: String(body['api_url']) }
  try {
    return await act({
      account: new AccountClient({ accessToken: () => Promise.resolve(access) }),
      open: (wrapped) => openPrivateKey(wrapped, wrapKey),
    })
  } finally {
    await request(`${door}/api/session?user_type=company`, 'DELETE', { origin, cookie }).catch(() => null)
  }
}

interface Answered {
  readonly body: Readonly<Record<string, unknown>>
  /** The cookies of the session, as they are sent back. */
  readonly cookie: string
}

async function request(url: string, method: string, headers: Record<string, string>, sent?: object): Promise<Answered> {
  const type = sent === undefined ? {} : { 'content-type': 'application/json' }
  const body = sent === undefined ? null : JSON.stringify(sent)
  // oxlint-disable-next-line sealpost/egress -- calls the front door that the user has configured, as the SDK does
  const answer = await fetch(url, { method, headers: { ...headers, ...type }, body }).catch(() => null)
  if (answer === null) throw new CliError(`${new URL(url).origin} cannot be reached`)
  const text = await answer.text()
  const members = membersOf(text)
  if (!answer.ok) throw new CliError(sentenceOf(members))
  const cookies = answer.headers.getSetCookie().map((line) => line.slice(0, line.indexOf(';')))
  return { body: members, cookie: cookies.join('; ') }
}

function sentenceOf({ error, error_key: key }: Answered['body']): string {
  if (key === 'session.otp_required') return 'the account requires a one-time code: pass it as --otp'
  return typeof error === 'string' ? `${error} (${String(key)})` : 'the front door gave an unusable answer'
}
