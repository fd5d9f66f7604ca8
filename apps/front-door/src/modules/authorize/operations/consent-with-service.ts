import type { UserId } from '@sealpost/kernel'
import {
  type AuthorizeView,
  consentToConnectAsk,
  consentToEnrollAsk,
  type Decision as FieldDecision,
  readEnrollmentAsk,
  readOfferAsk,
} from '@sealpost/protocol'
import { findDirectoryAccount, openParty } from '../../directory/index.ts'
import type { Authorize, AuthorizeRequest } from '../model.ts'
import type { Bearer, Person } from './identify-person.ts'
import { invalidRequest, type RequestedApp } from './read-app.ts'

/** The home region asks the service's region, which may copy files first. */
const CONNECT_TIMEOUT_MS = 30_000

export type ServiceConsent = Pick<AuthorizeView, 'connected' | 'enrolled' | 'offer'>

export const NO_SERVICE: ServiceConsent = { connected: false, enrolled: false, offer: null }

/** How the person stands to the service of the app. Only modes that connect show the fields that it requests. */
export async function readServiceConsent(
  context: Authorize,
  { client, mode }: AuthorizeRequest,
  { service }: Pick<RequestedApp, 'service'>,
  { userId, home }: Person,
): Promise<ServiceConsent> {
  if (service === null || !connects(mode)) return NO_SERVICE
  const to = await openParty(context, home)
  const consenting = { user_id: userId, company_code: await codeOf(context, client.userId), service_id: service.id }
  const { is_connected: connected, offer } = await context.bus.ask(readOfferAsk, { to, body: consenting })
  const body = { user_id: userId, service_id: service.id }
  const { is_enrolled: enrolled } = await context.bus.ask(readEnrollmentAsk, { to, body })
  return { connected, enrolled, offer }
}

export interface Consented {
  readonly bearer: Bearer
  readonly decisions: readonly FieldDecision[] | null
  readonly deviceRecord: string | null
  readonly hasSecondFactor: boolean
}

/** Connects the person to the service of the app, and for an enrolment enrols the person. Both may be repeated. */
export async function consentWithService(
  context: Authorize,
  request: AuthorizeRequest,
  app: Pick<RequestedApp, 'service'>,
  person: Person,
  { bearer, decisions, deviceRecord, hasSecondFactor }: Consented,
): Promise<void> {
  const { service } = app
  if (service === null || !connects(request.mode)) return
  const to = await openParty(context, person.home)
  const { connected } = await readServiceConsent(context, request, app, person)
  if (!connected) {
    if (decisions === null)
      throw invalidRequest('there is no connection to the service yet: send `decisions` about the fields it requests')
    await context.bus.ask(consentToConnectAsk, {
      to,
      timeoutMs: CONNECT_TIMEOUT_MS,
      body: {
        user_id: person.userId,
        company_code: await codeOf(context, request.client.userId),
        service_id: service.id,
        session_id: bearer.sessionId,
        decisions: [...decisions],
        device_record: deviceRecord,
        is_confirmed: hasSecondFactor,
      },
    })
  }
  if (request.mode !== '2fa_enroll') return
  const body = { user_id: person.userId, service_id: service.id }
  await context.bus.ask(consentToEnrollAsk, { to, timeoutMs: CONNECT_TIMEOUT_MS, body })
}

function connects(mode: AuthorizeRequest['mode']): boolean {
  return mode === 'connect' || mode === '2fa_enroll'
}

async function codeOf({ database }: Authorize, companyId: UserId): Promise<string> {
  const account = await database.read((read) => findDirectoryAccount(read, companyId))
  if (account === null) throw invalidRequest('client_id is not a known client')
  return account.shareCode
}
