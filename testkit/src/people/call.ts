import { request, type RequestOptions } from 'node:http'

export interface Answer {
  readonly status: number
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** An answer to a call of the web apps. */
export interface SessionAnswer extends Answer {
  /** The Set-Cookie lines in full. */
  readonly setCookies: readonly string[]
}

/** A token, and the address that accepts it. */
interface Login {
  readonly token: string
  readonly apiUrl: string
}

/** The body of an answer that must have this status. */
export async function bodyOf(answering: Promise<Answer>, status = 200): Promise<Answer['body']> {
  const answer = await answering
  if (answer.status !== status) throw new Error(`answered ${answer.status} instead of ${status}: ${answer.text}`)
  return answer.body
}

export interface Sent {
  readonly body?: unknown
  readonly key?: string
}

/** With the token of `who`, or without one at an address. */
export async function call(
  who: Login | string,
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

/** `fetch` would drop Cookie and Origin and normalise the path. */
export function exchangeRaw(options: RequestOptions, content?: string): Promise<SessionAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SessionAnswer>()
  const sent = request({ ...options, agent: false }, (answer) => {
    answer.toArray().then((chunks) => {
      const text = Buffer.concat(chunks).toString()
      const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      )
      const headers = new Headers(pairs)
      resolve({
        status: answer.statusCode ?? 0,
        headers,
        text,
        body: membersOf(text),
        setCookies: headers.getSetCookie(),
      })
    }, reject)
  })
  sent.on('error', reject).end(content)
  return promise
}

/** Empty where the text is no JSON object. */
export function membersOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? { ...value } : {}
  } catch {
    return {}
  }
}
