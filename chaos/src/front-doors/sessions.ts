import {
  callSession,
  type Cluster,
  harborline,
  mara,
  mergeCookies,
  northwind,
  type ScenarioContext,
} from '@sealpost/testkit'

export interface SessionFigures {
  readonly refreshes: number
  /** Logged out though nobody logged out. */
  readonly sessions_broken: number
  /** Still there after logging out at the other front door. */
  readonly sessions_left: number
}

interface Browser {
  readonly userType: 'person' | 'company'
  readonly email: string
  readonly authVerifier: string
  cookies: readonly string[]
}

const ROUNDS = 10

/** Users log in at one front door and refresh at the other in turn; nothing of a session rests in a front door. */
export async function moveSessions(context: ScenarioContext, { frontDoors }: Cluster): Promise<SessionFigures> {
  const urls = frontDoors.map(({ url }) => url)
  const users = [northwind, harborline, mara].map(({ email, login }): Browser => {
    const userType = email === mara.email ? 'person' : 'company'
    return { userType, email, authVerifier: login.authVerifier, cookies: [] }
  })
  let [refreshes, broken, left] = [0, 0, 0]
  for (const user of users) {
    const { email, authVerifier: auth_verifier, userType: user_type } = user
    if (!(await send(user, urls[0], 'POST', '/api/session', { email, auth_verifier }))) broken += 1
    for (let round = 1; round <= ROUNDS; round += 1) {
      const url = urls[round % urls.length]
      if (!(await send(user, url, 'POST', '/api/session/refresh', { user_type }))) broken += 1
      refreshes += 1
    }
    const held = user.cookies
    await send(user, urls[0], 'DELETE', `/api/session?user_type=${user_type}`)
    user.cookies = held
    if (await send(user, urls[1], 'POST', '/api/session/refresh', { user_type })) left += 1
  }
  context.progress(`${users.length} sessions went to and fro between the front doors ${ROUNDS} times, ${broken} broke`)
  return { refreshes, sessions_broken: broken, sessions_left: left }
}

/** True when it was done; the browser then holds what it was given. */
async function send(user: Browser, url = '', method: string, path: string, body?: unknown): Promise<boolean> {
  const told = await callSession(url, method, path, { cookies: user.cookies, ...(body === undefined ? {} : { body }) })
  if (told.status >= 300) return false
  user.cookies = mergeCookies(user.cookies, told.setCookies)
  return true
}
