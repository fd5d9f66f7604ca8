import { setTimeout as pause } from 'node:timers/promises'
import { callSession, type CompanyPersona, mergeCookies, type PersonPersona } from '@sealpost/testkit'
import { askToken, call, callWhoami, type IssuedToken, type Outcome } from '../calls.ts'
import { attempt, type Run } from './run.ts'

/** A machine client that keeps one token and also requests a new one at every call. */
export interface LoadClient {
  readonly company: CompanyPersona
  token: IssuedToken | null
  /** The generation of the kept token; see `renewTokens`. */
  generation: number
}

type User = Pick<CompanyPersona | PersonPersona, 'email' | 'login'> & { readonly companyId?: unknown }

const CLIENT_PAUSE_MS = 40
const USER_PAUSE_MS = 100
const REFRESHES_PER_LOGIN = 20

export async function runClient(run: Run, client: LoadClient): Promise<void> {
  for (; !run.isEnding; await pause(CLIENT_PAUSE_MS)) {
    const { generation } = run
    const fresh = await attempt(run, () => askToken(run.frontDoorUrl, client.company))
    run.counts.tokens += 1
    if (client.token === null || client.generation !== generation) Object.assign(client, { token: fresh, generation })
    for (const token of [client.token, fresh]) {
      if (token === null) continue
      await attempt(run, () => callWhoami(token))
      run.counts.data_calls += 1
    }
  }
}

/** A user in a browser: logs in, refreshes the session for a while, and logs in again. */
export async function runUser(run: Run, user: User): Promise<void> {
  const userType = user.companyId === undefined ? 'person' : 'company'
  let cookies: readonly string[] = []
  for (let turn = 0; !run.isEnding; turn += 1) {
    const isLogin = turn % REFRESHES_PER_LOGIN === 0 || cookies.length === 0
    const body = isLogin ? { email: user.email, auth_verifier: user.login.authVerifier } : { user_type: userType }
    const path = isLogin ? '/api/session' : '/api/session/refresh'
    const session = await attempt(run, () => post(run.frontDoorUrl, path, body, isLogin ? [] : cookies))
    run.counts[isLogin ? 'logins' : 'refreshes'] += 1
    cookies = session?.cookies ?? []
    if (session !== null) {
      await attempt(run, () => readAccount(session.token))
      run.counts.data_calls += 1
    }
    await pause(USER_PAUSE_MS)
  }
}

interface Session {
  readonly token: IssuedToken
  readonly cookies: readonly string[]
}

async function post(
  frontDoorUrl: string,
  path: string,
  body: unknown,
  cookies: readonly string[],
): Promise<Outcome<Session>> {
  try {
    const answer = await callSession(frontDoorUrl, 'POST', path, { body, cookies })
    if (answer.status !== 200) return { kind: 'refused', status: answer.status, body: JSON.stringify(answer.body) }
    const token = { text: String(answer.body['access_token']), apiUrl: String(answer.body['api_url']) }
    return { kind: 'done', value: { token, cookies: mergeCookies(cookies, answer.setCookies) } }
  } catch (error) {
    return { kind: 'broken', reason: String(error) }
  }
}

function readAccount({ apiUrl, text }: IssuedToken): Promise<Outcome<true>> {
  return call(`${apiUrl}/api/account`, { headers: { authorization: `Bearer ${text}` } }, () => true)
}
