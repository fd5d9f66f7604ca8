import type { SessionAnswer } from './call.ts'
import { callSession, mergeCookies, type UserType } from './people.ts'

export interface Refreshed extends SessionAnswer {
  readonly cookies: readonly string[]
  readonly token: string
}

/** As the web app does it with the cookies it has. */
export async function refreshWith(
  frontDoorUrl: string,
  cookies: readonly string[],
  userType: UserType,
  more: Record<string, unknown> = {},
): Promise<Refreshed> {
  const body = { user_type: userType, ...more }
  const answer = await callSession(frontDoorUrl, 'POST', '/api/session/refresh', { body, cookies })
  return { ...answer, cookies: mergeCookies(cookies, answer.setCookies), token: String(answer.body['access_token']) }
}

export function logOutWith(
  frontDoorUrl: string,
  cookies: readonly string[],
  userType: UserType,
): Promise<SessionAnswer> {
  return callSession(frontDoorUrl, 'DELETE', `/api/session?user_type=${userType}`, { cookies })
}

/** Whether a token is still good, told by a route that every account has. */
export async function readAccount(apiUrl: string, token: string): Promise<number> {
  const answer = await fetch(`${apiUrl}/api/account`, { headers: { authorization: `Bearer ${token}` } })
  await answer.text()
  return answer.status
}
