import { APP_ORIGIN, exchangeRaw, type Installation, mergeCookies, type SessionAnswer } from '@sealpost/testkit'
import type { Recorder } from './recorder.ts'
import type { SecretSet } from './secret-set.ts'

/** Sends HTTP calls exactly as given and records each answer. */
export interface RecordingClient {
  readonly installation: Installation
  readonly secrets: SecretSet
  readonly send: (url: string, outgoing?: OutgoingCall) => Promise<SessionAnswer>
}

export interface OutgoingCall {
  /** By default POST with a body, else GET. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly bearer?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** A raw body. */
  readonly text?: string
  /** Its cookies are sent and updated. */
  readonly jar?: Jar
  /** The answer contains a secret by design and is not searched. */
  readonly givesSecret?: boolean
  /** The expected status; any by default. */
  readonly expect?: number
}

export interface Jar {
  cookies: readonly string[]
}

export function createRecordingClient(recorder: Recorder, secrets: SecretSet): RecordingClient {
  return {
    installation: recorder.installation,
    secrets,
    async send(url, outgoing = {}) {
      const method = outgoing.method ?? (contentOf(outgoing) === null ? 'GET' : 'POST')
      const reply = await exchange(url, method, outgoing)
      if (outgoing.jar !== undefined) outgoing.jar.cookies = mergeCookies(outgoing.jar.cookies, reply.setCookies)
      // Findings are printed, so long parts of a path, which may be secrets, are removed.
      const path = new URL(url).pathname.replaceAll(/[^/]{25,}/g, '…')
      const place = `the answer (${reply.status}) to ${method} ${path}`
      if (outgoing.givesSecret !== true)
        recorder.record({ place, content: `${JSON.stringify([...reply.headers])}\n${reply.text}` })
      if (outgoing.expect !== undefined && reply.status !== outgoing.expect)
        throw new Error(`${place}: expected ${outgoing.expect}, got ${reply.text}`)
      return reply
    },
  }
}

function exchange(url: string, method: string, outgoing: OutgoingCall): Promise<SessionAnswer> {
  const content = contentOf(outgoing)
  const headers = {
    ...(outgoing.jar === undefined ? {} : { origin: APP_ORIGIN }),
    ...(outgoing.jar === undefined || outgoing.jar.cookies.length === 0
      ? {}
      : { cookie: outgoing.jar.cookies.join('; ') }),
    ...(outgoing.bearer === undefined ? {} : { authorization: `Bearer ${outgoing.bearer}` }),
    ...(content === null ? {} : { 'content-type': content.type, 'content-length': Buffer.byteLength(content.text) }),
    ...outgoing.headers,
  }
  const { hostname, port } = new URL(url)
  // The raw path: URL would normalise it.
  const path = url.slice(url.indexOf('/', 'http://'.length))
  return exchangeRaw({ hostname, port, path, method, headers }, content?.text)
}

function contentOf({ json, form, text, headers }: OutgoingCall): { type: string; text: string } | null {
  if (text !== undefined) return { type: headers?.['content-type'] ?? 'application/json', text }
  if (form !== undefined)
    return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() }
  return json === undefined ? null : { type: 'application/json', text: JSON.stringify(json) }
}
