import { interruptRefused } from './failure.ts'
import type { EgressRequest } from './request.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const KEPT_ACROSS_ORIGINS = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

export function isRedirect(status: number, location: string | undefined): location is string {
  return REDIRECTS.has(status) && location !== undefined
}

/** The request for the next hop; the new URL is checked like any other when it is sent. */
export function followRedirect(request: EgressRequest, status: number, location: string): EgressRequest {
  if (!URL.canParse(location, request.url)) throw interruptRefused('redirect_malformed')
  const from = new URL(request.url)
  const to = new URL(location, from)
  if (from.protocol === 'https:' && to.protocol === 'http:') throw interruptRefused('redirect_downgrade')
  const headers = from.origin === to.origin ? (request.headers ?? {}) : harmlessHeaders(request.headers ?? {})
  return becomesGet(request, status) ? asGet(request, to.href, headers) : { ...request, url: to.href, headers }
}

function becomesGet(request: EgressRequest, status: number): boolean {
  if (status === 303) return request.method !== 'HEAD'
  return (status === 301 || status === 302) && request.method === 'POST'
}

function asGet(request: EgressRequest, url: string, headers: Readonly<Record<string, string>>): EgressRequest {
  const { body: _body, ...rest } = request
  return { ...rest, method: 'GET', url, headers: without(headers, 'content-type') }
}

/** Secrets may be in headers of any name, so only known harmless ones are sent to another origin. */
function harmlessHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_ACROSS_ORIGINS.has(name.toLowerCase())))
}

function without(headers: Readonly<Record<string, string>>, dropped: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== dropped))
}
