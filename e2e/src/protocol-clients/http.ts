import { readXml } from './xml.ts'

export type Members = Readonly<Record<string, unknown>>

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** The members of a JSON object; empty for any other body. */
  readonly body: Members
  /** The body as JSON. */
  json(): unknown
  /** The body as XML, by the rules of the documents. */
  xml(): unknown
}

export interface Sent {
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** A base address and a bearer token: all that a client of another vendor has. */
export interface Access {
  readonly url: string
  readonly token: string | null
}

let calls = 0

/** The number of calls that this file has made. */
export function countCalls(): number {
  return calls
}

export async function call(access: Access, method: string, path: string, sent: Sent = {}): Promise<Reply> {
  calls += 1
  const headers: Record<string, string> = { ...sent.headers }
  if (access.token !== null) headers['authorization'] = `Bearer ${access.token}`
  if (sent.body !== undefined) headers['content-type'] = 'application/json'
  const body = sent.form === undefined ? jsonOf(sent.body) : new URLSearchParams(sent.form)
  const answer = await fetch(`${access.url}${path}`, { method, headers, body, redirect: 'manual' })
  return replyOf(answer.status, answer.headers, Buffer.from(await answer.arrayBuffer()))
}

export function replyOf(status: number, headers: Headers, bytes: Buffer): Reply {
  const text = (): string => bytes.toString('utf8')
  const json = (): unknown => JSON.parse(text())
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  return { status, headers, bytes, body: isJson ? membersOf(json()) : {}, json, xml: () => readXml(text()) }
}

/** Fails on any other status, and shows the answer. */
export async function must(status: number, replying: Promise<Reply>): Promise<Members> {
  const reply = await replying
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.bytes.toString('utf8')}`)
  return reply.body
}

export interface ClientCredentials {
  readonly client_id: string
  readonly client_secret: string
}

export function requestToken(url: string, client: ClientCredentials): Promise<Reply> {
  return call({ url, token: null }, 'POST', '/oauth2/token', { form: { grant_type: 'client_credentials', ...client } })
}

/** As the documents say: a token at the front door, and data calls at its `api_url`. */
export async function enter(frontDoor: string, client: ClientCredentials): Promise<Access> {
  const { access_token: token, api_url: url } = await must(200, requestToken(frontDoor, client))
  return { url: String(url), token: String(token) }
}

export function credentialsOf({ client_id, client_secret }: Members): ClientCredentials {
  return { client_id: String(client_id), client_secret: String(client_secret) }
}

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : []
}

/** Status and error key of a refusal. */
export function refusalOf({ status, body }: Reply): readonly [number, unknown] {
  return [status, body['error_key']]
}

function jsonOf(body: unknown): string | null {
  return body === undefined ? null : JSON.stringify(body)
}
