import type { Secret } from '@sealpost/kernel'
import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { parseApiUrl } from '../address.ts'
import { frontDoorAddress, openWire } from '../caller.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import { exchange, isRecord, type Outgoing, type Success } from '../exchange.ts'
import { AccountKey, type OpenAccountKey, type WrappedAccountKey } from '../keys/private-keys.ts'
import type { ClientOptions, FreshAccess } from '../options.ts'
import type { Wire } from '../wire.ts'
import { cookieJar } from './cookie-jar.ts'

export type LogInOptions = Pick<ClientOptions, 'fetch' | 'log' | 'requestTimeoutMs' | 'userAgent'> & {
  readonly frontDoorUrl: string
  /** The origin of the web app that the user would log in at: the platform opens sessions for its web apps only. */
  readonly appOrigin: string
  readonly userType: 'person' | 'company'
  readonly email: string
  /** Stays on this machine; what is sent proves it and opens nothing. */
  readonly password: string
  readonly otp?: string
}

/** A session of a user; `close` ends it. */
export interface UserLogin {
  /** For a client: `new CustomerClient({ ...login, pins })`. */
  readonly accessToken: () => Promise<FreshAccess>
  /** Opens the private key of a person with the password: `openKey((await person.readKeys()).encrypted_private_key)`. */
  readonly openKey: (wrapped: WrappedAccountKey) => Promise<AccountKey>
  /** For `exportAccountPem` of an `AccountClient`. */
  readonly openAccountKey: OpenAccountKey
  close(): Promise<void>
}

/** Throws `SealpostError` with `session.invalid` for a wrong password, and with `session.otp_required` without a code. */
export async function logIn(options: LogInOptions): Promise<UserLogin> {
  const { appOrigin: origin, userType, email, password, otp } = options
  const calls = openCalls(options, origin)
  const { body: params } = await calls.send('GET', `/api/session/params?email=${encodeURIComponent(email)}`)
  const { authVerifier, wrapKey } = await deriveLogin(password, isRecord(params) ? params['kdf'] : null)
  const credentials = { email, auth_verifier: authVerifier.reveal(), ...(otp === undefined ? {} : { otp }) }
  let unused: FreshAccess | null = calls.accessOf(await calls.send('POST', '/api/session', credentials, [authVerifier]))
  const openAccountKey: OpenAccountKey = (wrapped) => openPrivateKey(wrapped, wrapKey)
  return {
    async accessToken() {
      const first = unused
      unused = null
      return first ?? calls.accessOf(await calls.send('POST', '/api/session/refresh', { user_type: userType }))
    },
    openKey: async (wrapped) => AccountKey.fromPkcs8((await openAccountKey(wrapped)).reveal()),
    openAccountKey,
    async close() {
      await calls.send('DELETE', `/api/session?user_type=${userType}`)
    },
  }
}

interface SessionCalls {
  send(method: string, path: string, body?: object, secrets?: readonly Secret<string>[]): Promise<Success>
  accessOf(success: Success): FreshAccess
}

function openCalls(options: LogInOptions, origin: string): SessionCalls {
  const frontDoor = frontDoorAddress(options.frontDoorUrl)
  const { fetch: ownFetch, ...wire } = openWire(options)
  const jar = cookieJar()
  const keeping: Wire = {
    ...wire,
    async fetch(input, init) {
      const answer = await ownFetch(input, init)
      jar.keep(answer.headers)
      return answer
    },
  }
  return {
    send(method, path, body, secrets = []) {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const outgoing: Outgoing = {
        method,
        url: `${frontDoor}${path}`,
        headers: { origin, ...jar.header(), ...type },
        body: body === undefined ? undefined : JSON.stringify(body),
        secrets: [...secrets, ...jar.secrets()],
        signal: undefined,
      }
      return exchange(keeping, outgoing)
    },
    accessOf({ body, status, requestId }) {
      const { access_token: token, api_url: apiUrl, expires_in: expiresInSeconds } = isRecord(body) ? body : {}
      const address = parseApiUrl(apiUrl, frontDoor)
      if (address.ok && typeof token === 'string' && typeof expiresInSeconds === 'number')
        return { token, apiUrl: address.value, expiresInSeconds }
      const message = `${frontDoor} gave an unusable answer to a login; is this the front door?`
      throw new UnexpectedAnswerError(message, { status, requestId, retryAfterSeconds: undefined })
    },
  }
}
