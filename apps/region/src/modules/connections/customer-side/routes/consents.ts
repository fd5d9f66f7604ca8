import {
  declineConsent as declineConsentRoute,
  listConsents,
  provideConsent as provideConsentRoute,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { CustomerContext } from '../context.ts'
import { provideConsent } from '../operations/change-mappings.ts'
import { declineConsent } from '../operations/decline-consent.ts'
import { listConsentPage } from '../operations/list-pages.ts'
import { locateConnection } from './customer.ts'

/** A consent is the set of pending rows of a connection and has the connection's id. */
export function bindConsents(bind: BindRoute, context: CustomerContext): void {
  bind({
    operation: listConsents,
    handle: ({ caller, query }) => listConsentPage(context, caller.accountId, query),
  })
  bind({
    operation: provideConsentRoute,
    locate: ({ caller, params }) => locateConnection(context, caller, params.id),
    handle: ({ located, body }) => provideConsent(context, located.connection, body),
  })
  bind({
    operation: declineConsentRoute,
    locate: ({ caller, params }) => locateConnection(context, caller, params.id),
    handle: ({ located, body }) => declineConsent(context, located.connection, body.request_field_ids ?? null),
  })
}
