import { type Answer, call, type Sent } from './call.ts'
import type { PeoplePlace } from './people.ts'

/** Calls of one caller; `url` sends one to another process of the region. */
export type Calls = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  sent?: Sent & { readonly url?: string },
) => Promise<Answer>

/** Calls with a token, or without one, at the region that it was made for. */
export function callsWith(apiUrl: string, token: string | null): Calls {
  return (method, path, { url = apiUrl, ...sent } = {}) =>
    call(token === null ? url : { token, apiUrl: url }, method, path, sent)
}

type FrontDoorPlace = Pick<PeoplePlace, 'frontDoor'>

/** What the token endpoint answers to a client's credentials. */
export async function askToken(place: FrontDoorPlace, clientId: unknown, clientSecret: unknown): Promise<Answer> {
  const form = { grant_type: 'client_credentials', client_id: String(clientId), client_secret: String(clientSecret) }
  const answer = await fetch(`${place.frontDoor.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  const text = await answer.text()
  const value: unknown = JSON.parse(text)
  return { status: answer.status, headers: answer.headers, text, body: typeof value === 'object' ? { ...value } : {} }
}

/** Calls as that client. */
export async function clientCalls(place: FrontDoorPlace, clientId: unknown, clientSecret: unknown): Promise<Calls> {
  const { body, text } = await askToken(place, clientId, clientSecret)
  if (typeof body['access_token'] !== 'string') throw new Error(`no token: ${text}`)
  return callsWith(String(body['api_url']), body['access_token'])
}

export function keyOf({ body }: Pick<Answer, 'body'>): unknown {
  return body['error_key']
}
