import { type DetachedOutcome, putResultAsk, refuse } from '@sealpost/protocol'
import { openParty } from '../../directory/index.ts'
import type { Authorize, AuthorizeRequest, CodeTerms, Destination, Fault } from '../model.ts'
import { answerUrl, faultUrl } from '../rules/redirects.ts'
import { makeCode } from './issue-code.ts'
import { resultNameOf } from './poll-outcome.ts'

/** Sends a code to the redirect URI, or stores the approval of a detached request. */
export async function deliver(
  context: Authorize,
  request: AuthorizeRequest,
  grantId: string,
  terms: CodeTerms,
): Promise<Destination> {
  if (request.isDetached) {
    await storeOutcome(context, request, { kind: 'approved', grant_id: grantId, payload: { ...terms } })
    return null
  }
  return answerUrl(context.settings.PUBLIC_URL, request, { code: await makeCode(context, grantId, terms) })
}

/** An enrolment has no code: the app learns only that it happened. */
export async function deliverEnrolled(context: Authorize, request: AuthorizeRequest): Promise<Destination> {
  if (!request.isDetached) return answerUrl(context.settings.PUBLIC_URL, request, { enrolled: 'true' })
  await storeOutcome(context, request, { kind: 'enrolled' })
  return null
}

export async function deny(
  context: Authorize,
  request: AuthorizeRequest,
  fault: Omit<Fault, 'to'>,
): Promise<Destination> {
  if (!request.isDetached) return faultUrl(context.settings.PUBLIC_URL, request, fault)
  await storeOutcome(context, request, { kind: 'denied' })
  return null
}

/** Stores the outcome of a detached request in the region of the client's company. */
async function storeOutcome(
  context: Authorize,
  { client, state }: AuthorizeRequest,
  outcome: DetachedOutcome,
): Promise<void> {
  const { is_stored: isStored } = await context.bus.ask(putResultAsk, {
    to: await openParty(context, client.region),
    body: { ...resultNameOf(client, state ?? ''), outcome },
  })
  if (!isStored) throw refuse('oauth.invalid_request', undefined, { sentence: 'this state was used before' })
}
