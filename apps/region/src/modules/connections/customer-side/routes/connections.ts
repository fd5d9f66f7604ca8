import { answer } from '@sealpost/http'
import {
  changeMappings as changeMappingsRoute,
  connect as connectRoute,
  disconnect as disconnectRoute,
  listCompanyConnections,
  lookUpCompany,
  lookUpService,
  readCardPhoto,
  readCompanyConnection,
  refuse,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../../bind.ts'
import type { CustomerNeeds } from '../needs.ts'
import { readPhoto } from '../operations/card-photo.ts'
import { changeMappings } from '../operations/change-slots.ts'
import { connect, markOf } from '../operations/connect.ts'
import { disconnect } from '../operations/end.ts'
import { findByCode, showOffer } from '../operations/find-service.ts'
import { listConnectionPage } from '../operations/list.ts'
import { connectionNotFound } from '../operations/refusals.ts'
import { showConnection } from '../record.ts'
import { callerName, customerOf, locateConnection } from './customer.ts'

export function bindConnecting(bind: BindRoute, needs: CustomerNeeds): void {
  bind({
    operation: lookUpService,
    async handle({ caller, params: { companyCode, serviceCode } }) {
      return showOffer(await findByCode(needs, `${companyCode}/${serviceCode}`), customerOf(caller))
    },
  })
  bind({
    operation: lookUpCompany,
    handle() {
      throw refuse('profile.company_code_requires_service')
    },
  })
  bind({
    operation: connectRoute,
    async handle({ caller, call, body: { code, decisions }, storeAnswer }) {
      const service = await findByCode(needs, code)
      const openedBy = markOf(callerName(caller), call.path, call.idempotencyKey)
      return connect(needs, customerOf(caller), service, { decisions, requestId: null, openedBy }, storeAnswer)
    },
  })
}

export function bindConnections(bind: BindRoute, needs: CustomerNeeds): void {
  bind({
    operation: listCompanyConnections,
    handle: ({ caller, query }) => listConnectionPage(needs, caller.accountId, query),
  })
  bind({
    operation: readCompanyConnection,
    locate: ({ caller, params }) => locateConnection(needs, caller, params.id),
    handle: ({ located }) => showConnection(located),
  })
  bind({
    operation: disconnectRoute,
    locate: ({ caller, params }) => locateConnection(needs, caller, params.id),
    async handle({ located }): Promise<undefined> {
      await disconnect(needs, located.connection)
    },
  })
  bind({
    operation: changeMappingsRoute,
    async locate({ caller, params: { id, serviceLinkId } }) {
      if (serviceLinkId !== id) throw connectionNotFound()
      return locateConnection(needs, caller, id)
    },
    handle: ({ located, body }) => changeMappings(needs, located.connection, body.decisions),
  })
  bind({
    operation: readCardPhoto,
    locate: ({ caller, params }) => locateConnection(needs, caller, params.id),
    async handle({ located, params }) {
      const { content, contentType, sha256 } = await readPhoto(needs, located, params.photoId)
      const headers = {
        'content-type': contentType,
        [needs.digestHeader]: sha256,
        'cache-control': 'private, no-cache',
      }
      return answer(content, { headers })
    },
  })
}
