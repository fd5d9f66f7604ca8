import { batchServiceKeys, listServiceConnections } from '@sealpost/protocol'
import type { BindRoute } from '../../../../bind.ts'
import { type OpenNeeds, openService } from '../../../services/index.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { listCustomerKeys } from '../operations/keys.ts'
import { listListed } from '../operations/read.ts'
import type { ListedRow } from '../store/records.ts'
import { readUserIds } from './caller.ts'
import { showPage, sliceOf } from './page.ts'

export interface ServiceRouteNeeds extends ServiceSideNeeds, OpenNeeds {}

/** For whoever manages a service. No value is ever shown here. */
export function bindServiceConnectionRoutes(bind: BindRoute, needs: ServiceRouteNeeds): void {
  bind({
    operation: listServiceConnections,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    async handle({ located: { companyId, id: serviceId }, query }) {
      const page = await listListed(needs, { companyId, serviceId }, sliceOf('listed', query))
      return showPage('listed', page, showListed)
    },
  })
  bind({
    operation: batchServiceKeys,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    async handle({ located, body }) {
      const keys = await listCustomerKeys(needs, located.id, readUserIds(body.user_ids))
      return { keys: Object.fromEntries(keys) }
    },
  })
}

function showListed({ id, customerId, customerType, shareCode, displayName, publicKey }: ListedRow) {
  return {
    id,
    connection_id: id,
    person_id: customerId,
    user_id: customerId,
    customer_type: customerType,
    share_code: shareCode,
    display_name: displayName,
    public_key: publicKey,
  }
}
