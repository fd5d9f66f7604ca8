import type { LoggedIn } from './people.ts'

export interface Answer {
  readonly status: number
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

export interface Sent {
  readonly body?: unknown
  readonly key?: string
}

/** With the token of `who`, or without one at an address. */
export async function call(
  who: Pick<LoggedIn, 'token' | 'apiUrl'> | string,
  method: string,
  path: string,
  { body, key }: Sent = {},
): Promise<Answer> {
  const { token, apiUrl } = typeof who === 'string' ? { token: null, apiUrl: who } : who
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const answer = await fetch(`${apiUrl}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, text, body: membersOf(text), headers: answer.headers }
}

function membersOf(text: string): Record<string, unknown> {
  const value: unknown = text === '' ? null : JSON.parse(text)
  return typeof value === 'object' ? { ...value } : {}
}
