import { Answer, type Call } from '@sealpost/http'
import type { AuthorizeView } from '@sealpost/protocol'
import type { Authorize, AuthorizeRequest } from '../model.ts'
import { readServiceConsent } from './consent-with-service.ts'
import { identifyPerson, readBearer, takeFromPerson } from './identify-person.ts'
import { readApp, requireForPersons } from './read-app.ts'

export async function describeRequest(
  context: Authorize,
  call: Call,
  request: AuthorizeRequest,
): Promise<Answer<AuthorizeView>> {
  const bearer = await readBearer(context, call)
  const headers = await takeFromPerson(context, bearer)
  requireForPersons(request)
  const requested = await readApp(context, request)
  const { app, service, claims } = requested
  const person = await identifyPerson(context, bearer, app.require_2fa)
  const view = { app, service, mode: request.mode, claims: [...claims], assertion_challenge: person.challenge }
  return new Answer({ ...view, ...(await readServiceConsent(context, request, requested, person)) }, { headers })
}
