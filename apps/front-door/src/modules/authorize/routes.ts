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
import { commandClient } from '../oauth/index.ts'
import type { AnyClient, Authorize, AuthorizeRequest, Destination, Fault } from './model.ts'
import { completeAsCompany } from './operations/complete-as-company.ts'
import { completeAsPerson } from './operations/complete-as-person.ts'
import { describeRequest } from './operations/describe-request.ts'
import { findNamedClient } from './operations/find-named-client.ts'
import { pollOutcome } from './operations/poll-outcome.ts'
import { readInfo } from './operations/read-user-info.ts'
import { assets } from './page/assets.ts'
import { codePage, donePage, faultPage, LOGIN_HEADERS, loginPage, PAGE_HEADERS } from './page/page.ts'
import { faultUrl } from './rules/redirects.ts'
import { OUT_OF_BAND, validateRequest } from './rules/request.ts'

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
        const request = ownedOr(asked.request, () => refuse('oauth.invalid_request'))
        const destination = await completeAsPerson(context, call, request, { ...body, decision: body.decision })
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
  readonly request: AuthorizeRequest<AnyClient>
  /** As the page calls it. */
  readonly name: string
}

async function readRequest(
  context: Authorize,
  query: AuthorizeQuery,
): Promise<Asked | { readonly ok: false; readonly fault: Fault }> {
  const isCommand = query.client_id === commandClient.clientId
  const named = isCommand ? null : await findNamedClient(context, query.client_id)
  const validated = validateRequest(isCommand ? commandClient : named, query)
  if (!validated.ok) return validated
  const { request } = validated
  const name = named === null ? COMMAND_NAME : named.name
  return { ok: true, request, name: name === '' ? request.client.clientId : name }
}

const COMMAND_NAME = 'the sealpost command'

/** A request of a client with an owner; the command has none before its user has signed in. */
function ownedOr(request: AuthorizeRequest<AnyClient>, refusal: () => ApiError): AuthorizeRequest {
  const { client } = request
  if (client.kind === 'command') throw refusal()
  return { ...request, client }
}

async function start(context: Authorize, call: Call, query: AuthorizeQuery) {
  const asked = await readRequest(context, query)
  if (!isBrowser(call)) {
    if (!asked.ok) throw refusalOf(asked.fault)
    return describeRequest(
      context,
      call,
      ownedOr(asked.request, () => refuse('auth.token_missing')),
    )
  }
  if (!asked.ok) return answerFault(context, call, asked.fault, 302)
  const { request, name } = asked
  if (request.client.kind === 'idw' || request.mode === '2fa_enroll') return redirect(302, consentUrl(context, query))
  return page(200, loginPage({ name, request, query: { ...query }, problem: null }), LOGIN_HEADERS)
}

interface Credentials extends AuthorizeQuery {
  readonly email?: string
  readonly auth_verifier?: string
  readonly otp?: string
}

/** A user of the company signs in, on our page or through a program. */
async function complete(context: Authorize, call: Call, { request, name }: Asked, body: Credentials) {
  const { email, auth_verifier: verifier, otp } = body
  if (request.client.kind === 'idw' || request.mode === '2fa_enroll') throw refuse('auth.token_missing')
  if (email === undefined || verifier === undefined) throw refuse('oauth.invalid_request')
  const login = { email, verifier: new Secret(verifier), otp: otp === undefined || otp === '' ? null : otp }
  try {
    return leave(request, await completeAsCompany(context, request, login, call.ip))
  } catch (error) {
    if (!(error instanceof ApiError) || !isBrowser(call)) throw error
    const html = loginPage({ name, request, query: { ...body }, problem: error, email })
    const retry = error.retryAfterSeconds
    const headers = { ...LOGIN_HEADERS, ...(retry === undefined ? {} : { 'retry-after': String(retry) }) }
    return page(error.status, html, headers, error.key)
  }
}

function leave({ redirectUri }: AuthorizeRequest<AnyClient>, destination: Destination): BrowserAnswer {
  if (redirectUri === OUT_OF_BAND && destination !== null) return showCode(new URL(destination).searchParams)
  return destination === null ? page(200, donePage(), PAGE_HEADERS) : redirect(303, destination)
}

/** In the answer and not in an address, so that neither the history of the browser nor a log has the code. */
function showCode(answer: URLSearchParams): BrowserAnswer {
  const code = answer.get('code')
  if (code !== null) return page(200, codePage(code), PAGE_HEADERS)
  return page(403, faultPage(answer.get('error_description') ?? 'access is denied'), PAGE_HEADERS)
}

/** Reports a fault at the redirect URI; when that cannot be trusted, to the caller. */
function answerFault(context: Authorize, call: Call, fault: Fault, status: 302 | 303): BrowserAnswer {
  const isAddress = fault.to !== null && fault.to.redirectUri !== OUT_OF_BAND
  if (fault.to !== null && isAddress && (isBrowser(call) || status === 303)) {
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
