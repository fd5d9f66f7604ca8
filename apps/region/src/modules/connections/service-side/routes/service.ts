import { batchServiceKeys, listServiceConnections } from '@sealpost/protocol'
import type { BindRoute } from '../../../../bind.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { listCustomerKeys } from '../operations/keys.ts'
import { listListed } from '../operations/read.ts'
import type { ListedRow } from '../store/records.ts'
import { locateService, readUserIds } from './caller.ts'
import { showPage, sliceOf } from './page.ts'

/** For whoever manages a service. No value is ever shown here. */
export function bindServiceConnectionRoutes(bind: BindRoute, needs: ServiceSideNeeds): void {
  bind({
    operation: listServiceConnections,
    locate: ({ caller, params }) => locateService(needs, caller, params.id),
    async handle({ located, query }) {
      return showPage('listed', await listListed(needs, located, sliceOf('listed', query)), showListed)
    },
  })
  bind({
    operation: batchServiceKeys,
    locate: ({ caller, params }) => locateService(needs, caller, params.id),
    async handle({ located, body }) {
      const keys = await listCustomerKeys(needs, located.serviceId, readUserIds(body.user_ids))
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
