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
  /** Refused although the user did not log out. */
  readonly sessions_lost: number
  /** Still open after a logout at the other front door. */
  readonly sessions_left: number
}

interface Browser {
  readonly userType: 'person' | 'company'
  readonly email: string
  readonly authVerifier: string
  cookies: readonly string[]
}

const REFRESHES = 10

/** Users log in at one front door and refresh at both in turn: a front door keeps no session state. */
export async function moveSessions(context: ScenarioContext, { frontDoors }: Cluster): Promise<SessionFigures> {
  const urls = frontDoors.map(({ url }) => url)
  const users = [northwind, harborline, mara].map(({ email, login }): Browser => {
    const userType = email === mara.email ? 'person' : 'company'
    return { userType, email, authVerifier: login.authVerifier, cookies: [] }
  })
  let [refreshes, lost, left] = [0, 0, 0]
  for (const user of users) {
    const { email, authVerifier: auth_verifier, userType: user_type } = user
    if (!(await send(user, urls[0], 'POST', '/api/session', { email, auth_verifier }))) lost += 1
    for (let refresh = 1; refresh <= REFRESHES; refresh += 1) {
      const url = urls[refresh % urls.length]
      if (!(await send(user, url, 'POST', '/api/session/refresh', { user_type }))) lost += 1
      refreshes += 1
    }
    const before = user.cookies
    await send(user, urls[0], 'DELETE', `/api/session?user_type=${user_type}`)
    user.cookies = before
    if (await send(user, urls[1], 'POST', '/api/session/refresh', { user_type })) left += 1
  }
  context.progress(`${users.length} sessions with ${REFRESHES} refreshes at alternating front doors, ${lost} lost`)
  return { refreshes, sessions_lost: lost, sessions_left: left }
}

/** Returns whether the call succeeded; then the browser keeps the new cookies. */
async function send(user: Browser, url = '', method: string, path: string, body?: unknown): Promise<boolean> {
  const answer = await callSession(url, method, path, {
    cookies: user.cookies,
    ...(body === undefined ? {} : { body }),
  })
  if (answer.status >= 300) return false
  user.cookies = mergeCookies(user.cookies, answer.setCookies)
  return true
}
