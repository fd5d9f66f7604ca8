import { callSession, mergeCookies, type Told, type UserType } from './people.ts'

export interface Refreshed extends Told {
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
  const told = await callSession(frontDoorUrl, 'POST', '/api/session/refresh', { body, cookies })
  return { ...told, cookies: mergeCookies(cookies, told.setCookies), token: String(told.body['access_token']) }
}

export function logOutWith(frontDoorUrl: string, cookies: readonly string[], userType: UserType): Promise<Told> {
  return callSession(frontDoorUrl, 'DELETE', `/api/session?user_type=${userType}`, { cookies })
}

/** Whether a token is still good, told by a route that every account has. */
export async function readAccount(apiUrl: string, token: string): Promise<number> {
  const answer = await fetch(`${apiUrl}/api/account`, { headers: { authorization: `Bearer ${token}` } })
  await answer.text()
  return answer.status
}
