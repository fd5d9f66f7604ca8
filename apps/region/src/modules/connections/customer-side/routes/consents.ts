import {
  declineConsent as declineConsentRoute,
  listConsents,
  provideConsent as provideConsentRoute,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../../bind.ts'
import type { CustomerNeeds } from '../needs.ts'
import { declineConsent, provideConsent } from '../operations/change-slots.ts'
import { listConsentPage } from '../operations/list.ts'
import { locateConnection } from './customer.ts'

/** A consent is what is pending at a connection, so its id is the connection's. */
export function bindConsents(bind: BindRoute, needs: CustomerNeeds): void {
  bind({
    operation: listConsents,
    handle: ({ caller, query }) => listConsentPage(needs, caller.accountId, query),
  })
  bind({
    operation: provideConsentRoute,
    locate: ({ caller, params }) => locateConnection(needs, caller, params.id),
    handle: ({ located, body }) => provideConsent(needs, located.connection, body.decisions),
  })
  bind({
    operation: declineConsentRoute,
    locate: ({ caller, params }) => locateConnection(needs, caller, params.id),
    handle: ({ located, body }) => declineConsent(needs, located.connection, body.request_field_ids ?? null),
  })
}
