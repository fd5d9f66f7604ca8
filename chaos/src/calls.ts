import { setTimeout as pause } from 'node:timers/promises'
import type { Calls, CompanyPersona } from '@sealpost/testkit'

/** A token as the token endpoint gave it. */
export interface IssuedToken {
  readonly text: string
  readonly apiUrl: string
}

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  /** No answer: the connection broke or was refused. */
  | { readonly kind: 'broken'; readonly reason: string }

const DEADLINE_MS = 15_000
const BEFORE_RETRY_MS = 200

export function askToken(
  frontDoorUrl: string,
  { clientId, clientSecret }: Pick<CompanyPersona, 'clientId' | 'clientSecret'>,
  headers: Record<string, string> = {},
): Promise<Outcome<IssuedToken>> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  return call(`${frontDoorUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form), headers }, readToken)
}

/** A data call at the home region of the token. */
export function callWhoami({ apiUrl, text }: IssuedToken): Promise<Outcome<true>> {
  return call(`${apiUrl}/api/company-data/whoami`, { headers: { authorization: `Bearer ${text}` } }, () => true)
}

export async function call<T>(
  url: string,
  init: RequestInit,
  read: (body: unknown, answer: Response) => T,
): Promise<Outcome<T>> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) })
    const body = await answer.text()
    if (!answer.ok) return { kind: 'refused', status: answer.status, body }
    return { kind: 'done', value: read(body === '' ? null : JSON.parse(body), answer) }
  } catch (error) {
    return { kind: 'broken', reason: reasonOf(error) }
  }
}

/**
 * Repeats a call once after a broken connection or a 5xx answer, after a pause as clients make it: a killed process ends
 * all of its connections, and an immediate second try could take another one whose end has not been noticed yet.
 */
export async function callWithOneRetry<T>(
  send: () => Promise<Outcome<T>>,
  onRetry: (first: Outcome<T>) => void,
): Promise<Outcome<T>> {
  const first = await send()
  const isTransient = first.kind === 'broken' || (first.kind === 'refused' && first.status >= 500)
  if (!isTransient) return first
  onRetry(first)
  await pause(BEFORE_RETRY_MS)
  return send()
}

/** The body of an answer that must be a success. */
export async function requireOk(answering: ReturnType<Calls>): Promise<Readonly<Record<string, unknown>>> {
  const { status, body, text } = await answering
  if (status >= 300) throw new Error(`not served: ${status} ${text}`)
  return body
}

export function describeOutcome(outcome: Outcome<unknown>): string {
  if (outcome.kind === 'done') return 'done'
  return outcome.kind === 'broken' ? outcome.reason : `${outcome.status} ${outcome.body}`
}

function readToken(body: unknown): IssuedToken {
  if (typeof body === 'object' && body !== null && 'access_token' in body && 'api_url' in body)
    return { text: String(body.access_token), apiUrl: String(body.api_url) }
  throw new Error(`no token: ${JSON.stringify(body)}`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
