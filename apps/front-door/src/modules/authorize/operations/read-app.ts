import { type AuthorizeView, readAppAsk, refuse, type SigninClaim } from '@sealpost/protocol'
import { openParty } from '../../directory/index.ts'
import type { Authorize, AuthorizeRequest } from '../model.ts'
import { claimsOfRequest } from '../rules/claims.ts'

/** The app, its service and the claims that the person app displays. */
export interface RequestedApp {
  readonly app: AuthorizeView['app']
  readonly service: AuthorizeView['service']
  readonly claims: readonly SigninClaim[]
  /** The app's own setting; `app.require_2fa` also counts that of its service. */
  readonly needsAssertion: boolean
}

/** Other clients act for their company: its users sign in on the hosted page, and a person's session is no such login. */
export function requireForPersons({ client, mode }: AuthorizeRequest): void {
  if (client.kind === 'idw' || mode === '2fa_enroll') return
  throw refuse('oauth.unauthorized_client', undefined, {
    sentence: 'this client is for users of its company, who sign in on the page of the authorize request',
  })
}

export async function readApp(context: Authorize, request: AuthorizeRequest): Promise<RequestedApp> {
  const { client, mode } = request
  const { app } = await context.bus.ask(readAppAsk, {
    to: await openParty(context, client.region),
    body: { company_id: client.userId, client_id: client.clientId, service_id: client.serviceId },
  })
  if (app === null) throw invalidRequest('client_id is not a known client')
  const needsService = mode === 'connect' || mode === '2fa_enroll'
  if (needsService && app.service === null) throw refuse('oauth.connect_no_service')
  const claims = claimsOfRequest(app.claims, request)
  if (!claims.ok) throw invalidRequest(claims.refusal)
  if (claims.value.length > 0 && app.public_key === null) throw invalidRequest('this client cannot ask for claims')
  const { service, claims: _own, require_2fa: needsAssertion, ...rest } = app
  const require_2fa = needsAssertion || service?.require_2fa === true
  return {
    app: { client_id: client.clientId, ...rest, require_2fa },
    service: service === null ? null : { id: service.id, name: service.name },
    claims: claims.value,
    needsAssertion,
  }
}

export function invalidRequest(sentence: string): Error {
  return refuse('oauth.invalid_request', undefined, { sentence })
}
