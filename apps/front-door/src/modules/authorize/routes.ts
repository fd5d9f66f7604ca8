import type { AccessClaims } from '@sealpost/access-token'
import { type BrowserAnswer, type Call, type Gates, page, redirect } from '@sealpost/http'
import { Secret } from '@sealpost/kernel'
import {
  ApiError,
  type AuthorizeQuery,
  completeAuthorization,
  pollResult,
  readUserInfo,
  refuse,
  startAuthorization,
} from '@sealpost/protocol'
import { bindAssets } from '../../platform/assets.ts'
import type { RouteBinder } from '../../platform/bind-route.ts'
import type { Platform } from '../../platform/module.ts'
import type { Authorize, AuthorizeRequest, Destination, Fault, NamedClient } from './model.ts'
import { completeAsCompany } from './operations/complete-as-company.ts'
import { completeAsPerson } from './operations/complete-as-person.ts'
import { describeRequest } from './operations/describe-request.ts'
import { findNamedClient } from './operations/find-named-client.ts'
import { pollOutcome } from './operations/poll-outcome.ts'
import { readInfo } from './operations/read-user-info.ts'
import { assets } from './page/assets.ts'
import { donePage, faultPage, LOGIN_HEADERS, loginPage, PAGE_HEADERS } from './page/page.ts'
import { faultUrl } from './rules/redirects.ts'
import { validateRequest } from './rules/request.ts'

export function bindAuthorize({ server, bind }: RouteBinder, context: Authorize): void {
  bindAssets(server, assets)
  bind({
    operation: startAuthorization,
    handle: ({ call, query }) => start(context, call, query),
  })
  bind({
    operation: completeAuthorization,
    async handle({ call, body }) {
      const asked = await readRequest(context, body)
      if (!asked.ok) {
        if (body.decision !== undefined) throw refusalOf(asked.fault)
        return answerFault(context, call, asked.fault, 303)
      }
      if (body.decision !== undefined) {
        const destination = await completeAsPerson(context, call, asked.request, { ...body, decision: body.decision })
        return destination === null ? { done: true as const } : { redirect_to: destination }
      }
      return complete(context, call, asked, body)
    },
  })
  bind({ operation: pollResult, handle: ({ call, body }) => pollOutcome(context, call, body) })
}

/** Userinfo is served here, because discovery names this address; only sign-in apps may call it. */
const SERVED_HERE: Partial<Gates<AccessClaims>> = {
  checkHome() {},
  checkAccess(_call, { clientId }) {
    if (!clientId.startsWith('idw_')) throw refuse('auth.client_endpoint_forbidden', {})
  },
}

export function bindUserInfo({ bind }: RouteBinder, platform: Platform): void {
  bind({ operation: readUserInfo, handle: ({ caller }) => readInfo(platform, caller) }, SERVED_HERE)
}

interface Asked {
  readonly ok: true
  readonly request: AuthorizeRequest
  readonly client: NamedClient
}

async function readRequest(
  context: Authorize,
  query: AuthorizeQuery,
): Promise<Asked | { readonly ok: false; readonly fault: Fault }> {
  const client = await findNamedClient(context, query.client_id)
  const validated = validateRequest(client, query)
  if (!validated.ok) return validated
  if (client === null) throw new Error('an authorize request without a client passed validation')
  return { ok: true, request: validated.request, client }
}

async function start(context: Authorize, call: Call, query: AuthorizeQuery) {
  const asked = await readRequest(context, query)
  if (!isBrowser(call)) {
    if (!asked.ok) throw refusalOf(asked.fault)
    return describeRequest(context, call, asked.request)
  }
  if (!asked.ok) return answerFault(context, call, asked.fault, 302)
  const { request, client } = asked
  if (client.kind === 'idw' || request.mode === '2fa_enroll') return redirect(302, consentUrl(context, query))
  return page(200, loginPage({ client, request, query: { ...query }, problem: null }), LOGIN_HEADERS)
}

interface Credentials extends AuthorizeQuery {
  readonly email?: string
  readonly auth_verifier?: string
  readonly otp?: string
}

/** A user of the company signs in, on our page or through a program. */
async function complete(context: Authorize, call: Call, { request, client }: Asked, body: Credentials) {
  const { email, auth_verifier: verifier, otp } = body
  if (client.kind === 'idw' || request.mode === '2fa_enroll') throw refuse('auth.token_missing')
  if (email === undefined || verifier === undefined) throw refuse('oauth.invalid_request')
  const login = { email, verifier: new Secret(verifier), otp: otp === undefined || otp === '' ? null : otp }
  try {
    return leave(await completeAsCompany(context, request, login, call.ip))
  } catch (error) {
    if (!(error instanceof ApiError) || !isBrowser(call)) throw error
    const html = loginPage({ client, request, query: { ...body }, problem: error, email })
    const retry = error.retryAfterSeconds
    const headers = { ...LOGIN_HEADERS, ...(retry === undefined ? {} : { 'retry-after': String(retry) }) }
    return page(error.status, html, headers, error.key)
  }
}

function leave(destination: Destination): BrowserAnswer {
  return destination === null ? page(200, donePage(), PAGE_HEADERS) : redirect(303, destination)
}

/** Reports a fault at the redirect URI; when that cannot be trusted, to the caller. */
function answerFault(context: Authorize, call: Call, fault: Fault, status: 302 | 303): BrowserAnswer {
  if (fault.to !== null && (isBrowser(call) || status === 303)) {
    return redirect(status, faultUrl(context.settings.PUBLIC_URL, fault.to, fault), fault.key)
  }
  if (!isBrowser(call)) throw refusalOf(fault)
  return page(400, faultPage(fault.sentence), PAGE_HEADERS, fault.key)
}

function refusalOf({ key, sentence }: Fault): ApiError {
  return refuse(key, undefined, { sentence })
}

/** The consent page gets the request as it was sent. */
function consentUrl({ settings }: Authorize, query: AuthorizeQuery): string {
  const url = new URL(settings.AUTH_WEB_URL)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return url.href
}

/** Programs accept JSON or send a token; browsers accept HTML. */
function isBrowser({ accept, bearer }: Call): boolean {
  return bearer === null && accept !== null && accept.includes('text/html')
}
