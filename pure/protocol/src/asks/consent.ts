import Type from 'typebox'
import { defineAsk } from '../ask.ts'
import { Decisions, ServiceOffer } from '../wire/customer-connection.ts'
import { nullableText, Uuid } from '../wire/scalars.ts'

const consenting = { user_id: Uuid, company_code: Type.String(), service_id: Uuid } as const

/** Of the front door, to the person's home, for the consent page. Null when there is nothing to decide. */
export const readOfferAsk = defineAsk({
  command: 'connections.read_offer',
  idempotency: 'none',
  body: Type.Object(consenting),
  reply: Type.Object({ is_connected: Type.Boolean(), offer: Type.Union([Type.Null(), ServiceOffer]) }),
})

/**
 * Of the front door, to the person's home, which asks the service's region. A person who is connected already stays so.
 * Refusals are those of `POST /api/company-connections`.
 */
export const consentToConnectAsk = defineAsk({
  command: 'connections.consent_to_connect',
  idempotency: 'none',
  body: Type.Object({
    ...consenting,
    session_id: Type.String(),
    decisions: Decisions,
    device_record: nullableText(),
    /** The front door has verified a second factor for this consent. */
    is_confirmed: Type.Boolean(),
  }),
  reply: Type.Object({}),
})
