import { bindRoute, type BrowserAnswer, type Call, type Gates, type HttpServer, page, redirect } from '@sealpost/http'
import { Secret } from '@sealpost/kernel'
import {
  ApiError,
  type AuthorizeQuery,
  completeAuthorization,
  pollResult,
  refuse,
  startAuthorization,
} from '@sealpost/protocol'
import { bindAssets } from './assets.ts'
import { findNamedClient, type NamedClient } from './clients.ts'
import { completeAsCompany, type Outcome } from './company.ts'
import type { AuthorizeNeeds } from './needs.ts'
import { donePage, faultPage, LOGIN_HEADERS, loginPage, PAGE_HEADERS } from './page.ts'
import { completeAsPerson, describeRequest } from './person.ts'
import { faultUrl } from './redirects.ts'
import { type AuthorizeRequest, type Fault, judgeRequest } from './request.ts'
import { pollOutcome } from './result.ts'

export function bindAuthorize<Caller>(server: HttpServer, gates: Gates<Caller>, needs: AuthorizeNeeds): void {
  bindAssets(server)
  bindRoute(server, gates, {
    operation: startAuthorization,
    handle: ({ call, query }) => start(needs, call, query),
  })
  bindRoute(server, gates, {
    operation: completeAuthorization,
    async handle({ call, body }) {
      const asked = await judge(needs, body)
      if (!asked.ok) {
        if (body.decision !== undefined) throw refusalOf(asked.fault)
        return tellFault(needs, call, asked.fault, 303)
      }
      if (body.decision !== undefined) {
        const outcome = await completeAsPerson(needs, call, asked.request, { ...body, decision: body.decision })
        return outcome === null ? { done: true as const } : { redirect_to: outcome }
      }
      return complete(needs, call, asked, body)
    },
  })
  bindRoute(server, gates, { operation: pollResult, handle: ({ call, body }) => pollOutcome(needs, call, body) })
}

interface Asked {
  readonly ok: true
  readonly request: AuthorizeRequest
  readonly client: NamedClient
}

async function judge(
  needs: AuthorizeNeeds,
  query: AuthorizeQuery,
): Promise<Asked | { readonly ok: false; readonly fault: Fault }> {
  const client = await findNamedClient(needs.database, query.client_id)
  const judged = judgeRequest(client, query)
  if (!judged.ok) return judged
  if (client === null) throw new Error('a request was accepted without a client')
  return { ok: true, request: judged.request, client }
}

async function start(needs: AuthorizeNeeds, call: Call, query: AuthorizeQuery) {
  const asked = await judge(needs, query)
  if (!isBrowser(call)) {
    if (!asked.ok) throw refusalOf(asked.fault)
    return describeRequest(needs, call, asked.request)
  }
  if (!asked.ok) return tellFault(needs, call, asked.fault, 302)
  const { request, client } = asked
  if (client.kind === 'idw' || request.mode === '2fa_enroll') return redirect(302, consentUrl(needs, query))
  return page(200, loginPage({ client, request, query: { ...query }, problem: null }), LOGIN_HEADERS)
}

interface Credentials extends AuthorizeQuery {
  readonly email?: string
  readonly auth_verifier?: string
  readonly otp?: string
}

/** A user of the company, from our own page or from a program. */
async function complete(needs: AuthorizeNeeds, call: Call, { request, client }: Asked, body: Credentials) {
  const { email, auth_verifier: verifier, otp } = body
  if (client.kind === 'idw' || request.mode === '2fa_enroll') throw refuse('auth.token_missing')
  if (email === undefined || verifier === undefined) throw refuse('oauth.invalid_request')
  const login = { email, verifier: new Secret(verifier), otp: otp === undefined || otp === '' ? null : otp }
  try {
    return leave(await completeAsCompany(needs, request, login, call.ip))
  } catch (error) {
    if (!(error instanceof ApiError) || !isBrowser(call)) throw error
    const html = loginPage({ client, request, query: { ...body }, problem: error, email })
    const retry = error.retryAfterSeconds
    const headers = { ...LOGIN_HEADERS, ...(retry === undefined ? {} : { 'retry-after': String(retry) }) }
    return page(error.status, html, headers)
  }
}

function leave(outcome: Outcome): BrowserAnswer {
  return outcome === null ? page(200, donePage(), PAGE_HEADERS) : redirect(303, outcome)
}

/** The client is told at its address; where that cannot be trusted, whoever asked is. */
function tellFault(needs: AuthorizeNeeds, call: Call, fault: Fault, status: 302 | 303): BrowserAnswer {
  if (fault.to !== null && (isBrowser(call) || status === 303)) {
    return redirect(status, faultUrl(needs.issuer, fault.to, fault))
  }
  if (!isBrowser(call)) throw refusalOf(fault)
  return page(400, faultPage(fault.sentence), PAGE_HEADERS)
}

function refusalOf({ key, sentence }: Fault): ApiError {
  return refuse(key, undefined, { sentence })
}

/** The consent page reads the same request, as it was sent. */
function consentUrl({ authWebUrl }: AuthorizeNeeds, query: AuthorizeQuery): string {
  const url = new URL(authWebUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return url.href
}

/** A program says that it wants JSON, or brings a token; everybody else gets what a browser can show. */
function isBrowser({ accept, bearer }: Call): boolean {
  return bearer === null && accept !== null && accept.includes('text/html')
}
