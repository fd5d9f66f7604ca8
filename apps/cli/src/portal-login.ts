import { AccountClient, type OpenAccountKey } from '@sealpost/sdk'
import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { cleanAddress } from './config.ts'
import { callFrontDoor, type DoorAnswer, type DoorCall } from './front-door.ts'
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
  const { appOrigin: origin, email, password, otp } = login
  const door = cleanAddress(login.frontDoorUrl)
  const { members: params } = await request(door, `/api/session/params?email=${encodeURIComponent(email)}`)
  const { authVerifier, wrapKey } = await deriveLogin(password, params['kdf'])
  const json = { email, auth_verifier: authVerifier.reveal(), ...(otp === null ? {} : { otp }) }
  const { members, headers } = await request(door, '/api/session', { method: 'POST', headers: { origin }, json })
  const access = { token: String(members['access_token']), apiUrl: String(members['api_url']) }
  const cookie = cookiesOf(headers)
  try {
    return await act({
      account: new AccountClient({ accessToken: () => Promise.resolve(access) }),
      open: (wrapped) => openPrivateKey(wrapped, wrapKey),
    })
  } finally {
    const end: DoorCall = { method: 'DELETE', headers: { origin, cookie } }
    await request(door, '/api/session?user_type=company', end).catch(() => null)
  }
}

async function request(door: string, path: string, call: DoorCall = {}): Promise<DoorAnswer> {
  const answer = await callFrontDoor(door, path, call)
  if (!answer.isOk) throw new CliError(sentenceOf(answer))
  return answer
}

/** As they are sent back. */
function cookiesOf(headers: Headers): string {
  const cookies = headers.getSetCookie().map((line) => line.slice(0, line.indexOf(';')))
  return cookies.join('; ')
}

function sentenceOf({ members: { error, error_key: key } }: DoorAnswer): string {
  if (key === 'session.otp_required') return 'the account requires a one-time code: pass it as --otp'
  return typeof error === 'string' ? `${error} (${String(key)})` : 'the front door gave an unusable answer'
}
