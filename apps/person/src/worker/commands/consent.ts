import type {
  AuthorizationRecord,
  AuthorizationRequest,
  ClaimAnswer,
  ClaimsDelivery,
  ContactValue,
  CustomerAnswers,
  FieldTypes,
} from '@sealpost/sdk'
import { requireChallenge, requireOpen, secondFactorOf, type SignedProof } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import { answersOf, type AnswerWish, type AnswerWishes, type AskedView, askedView, fieldsByFit } from '../asked.ts'
import type { PersonContext } from '../context.ts'
import { typeView } from '../type-view.ts'
import { type FilledField, fittingFields } from './fitting-fields.ts'

export type ConsentMode = AuthorizationRecord['mode']

/** Who asks for what: everything that the person sees before deciding. */
export interface ConsentView {
  readonly appName: string
  readonly companyName: string
  /** Null for an app without a service. */
  readonly serviceName: string | null
  /** Gives the company its colour: its id where a service is asked about, else that of the app. */
  readonly partyId: string
  readonly mode: ConsentMode
  readonly isDetached: boolean
  readonly isConnected: boolean
  readonly isEnrolled: boolean
  /** Text passes through the platform, which could read it. */
  readonly delivery: ClaimsDelivery
  /** One copy for the app, at this sign-in. */
  readonly claims: readonly AskedView[]
  /** What the service asks for, where the consent also connects; null otherwise. */
  readonly fields: readonly AskedView[] | null
  /** What this device signs, where a second proof is needed. */
  readonly challenge: string | null
  /** Names what was read: the answer is to this, whatever the platform says later. */
  readonly readId: string
}

export async function readConsent(context: PersonContext, request: AuthorizationRequest): Promise<ConsentView> {
  const { client } = requireOpen(context)
  const authorizations = client.authorizations(context.frontDoorUrl)
  const record = await authorizations.read(request)
  const { app, service, mode, offer } = record
  const readId = crypto.randomUUID()
  context.consent = { readId, request, record }
  const values: ContactValue[] = []
  for await (const value of client.contactData.list()) values.push(value)
  const types = await client.registry()
  const fitting = offer === null ? null : await fieldsByFit(context)
  return {
    appName: app.name,
    companyName: app.company_name,
    serviceName: service?.name ?? null,
    partyId: offer?.company.user_id ?? app.client_id,
    mode,
    isDetached: request.response_mode === 'detached',
    isConnected: record.connected,
    isEnrolled: record.enrolled,
    delivery: record.claims.length === 0 ? 'sealed' : await authorizations.delivery(record),
    claims: record.claims.map((claim) => claimView(types, values, claim)),
    fields: offer === null || fitting === null ? null : offer.request_fields.map((row) => askedView(fitting, row)),
    challenge: record.assertion_challenge === null ? null : requireChallenge(record.assertion_challenge),
    readId,
  }
}

export interface ConsentWish {
  readonly readId: string
  readonly claims: AnswerWishes
  readonly fields: AnswerWishes
  /** The person agreed that this app gets text. */
  readonly allowsText: boolean
  readonly proof: SignedProof | null
}

/** Where the browser goes next; null when the other device fetches the outcome. */
export interface ConsentOutcome {
  readonly goTo: string | null
}

/** Seals and sends by what the person was shown: a platform that says something else now is not asked again. */
export async function approveConsent(context: PersonContext, wish: ConsentWish): Promise<ConsentOutcome> {
  const { consent } = context
  if (consent?.readId !== wish.readId) throw refuseHere('consent_changed')
  const { request, record } = consent
  const authorizations = requireOpen(context).client.authorizations(context.frontDoorUrl)
  const fields: CustomerAnswers = record.offer === null ? {} : answersOf(wish.fields)
  const answer = await authorizations.approve(request, record, {
    claims: Object.fromEntries(Object.entries(wish.claims).map(([name, each]) => [name, claimAnswer(each)])),
    fields,
    allowPlaintext: wish.allowsText,
    ...(await secondFactorOf(context, wish.proof)),
  })
  context.changed('connections', 'approvals')
  return outcomeOf(request, answer)
}

export async function denyConsent(context: PersonContext, request: AuthorizationRequest): Promise<ConsentOutcome> {
  const authorizations = requireOpen(context).client.authorizations(context.frontDoorUrl)
  return outcomeOf(request, await authorizations.deny(request))
}

/** Only to the address that the request named: an answer that leads elsewhere is not followed. */
function outcomeOf(
  { redirect_uri: wanted }: AuthorizationRequest,
  answer: { readonly redirect_to: string } | { readonly done: true },
): ConsentOutcome {
  if (!('redirect_to' in answer)) return { goTo: null }
  const target = URL.canParse(answer.redirect_to) ? new URL(answer.redirect_to) : null
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:'
  const isWanted = wanted === undefined || (URL.canParse(wanted) && placeOf(new URL(wanted)) === placeOf(target))
  if (target === null || !isWeb || !isWanted) throw refuseHere('leads_elsewhere')
  return { goTo: target.href }
}

function placeOf(url: URL | null): string | null {
  return url === null ? null : `${url.origin}${url.pathname}`
}

function claimAnswer(wish: AnswerWish): ClaimAnswer {
  return 'fieldId' in wish ? { from: wish.fieldId } : { value: wish.text }
}

/** A claim that must be verified is answered by a verified value only. */
function claimView(
  types: FieldTypes,
  values: readonly ContactValue[],
  claim: AuthorizationRecord['claims'][number],
): AskedView {
  const isUsable = ({ verified_hash: hash }: ContactValue): boolean => !claim.verified || hash !== undefined
  const filled = values.filter(isUsable).map(filledField)
  const unverified = values.filter((value) => !isUsable(value)).map(filledField)
  const asked = { slug: claim.suggest ?? claim.name, label: claim.label ?? claim.name, type: claim.type }
  const isAccepted = (type: string): boolean => types.accepts(claim.type, type)
  const { fits, suggested } = fittingFields(asked, filled, isAccepted)
  const [toVerify = null] = fittingFields(asked, unverified, isAccepted).fits
  return {
    id: claim.name,
    slug: claim.name,
    label: claim.label ?? claim.name,
    type: typeView(types, claim.type),
    isOneTime: true,
    isNeeded: claim.required,
    wantsVerified: claim.verified,
    isFromDataOnly: claim.verified,
    toVerify,
    fits,
    suggested,
    given: null,
    isPending: false,
    isDeclined: false,
  }
}

function filledField({ field_id: id, slug, label, type }: ContactValue): FilledField {
  return { id, slug, label, type }
}
