import { answer } from '@sealpost/http'
import {
  changeMappings as changeMappingsRoute,
  connect as connectRoute,
  createConnectionPass,
  createOfferPass,
  disconnect as disconnectRoute,
  listCompanyConnections,
  lookUpCompany,
  lookUpService,
  readCardPhoto as readCardPhotoRoute,
  readCompanyConnection,
  refuse,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import { digestHeader } from '../../../../settings.ts'
import type { CustomerContext } from '../context.ts'
import { changeMappings } from '../operations/change-mappings.ts'
import { connect } from '../operations/connect.ts'
import { disconnect } from '../operations/end-connection.ts'
import { findByCode } from '../operations/find-service.ts'
import { listConnectionPage } from '../operations/list-pages.ts'
import { readCardPhoto } from '../operations/read-card-photo.ts'
import { readWithDocuments } from '../operations/read-connections.ts'
import { passForRow } from '../operations/row-pass.ts'
import { connectionNotFound } from '../rules/refusals.ts'
import { offerToWire } from '../wire.ts'
import { connectInput, customerOf, locateConnection } from './customer.ts'

export function bindConnecting(bind: BindRoute, context: CustomerContext): void {
  bind({
    operation: lookUpService,
    async handle({ caller, params: { companyCode, serviceCode } }) {
      return offerToWire(await findByCode(context, `${companyCode}/${serviceCode}`), customerOf(caller))
    },
  })
  bind({
    operation: lookUpCompany,
    handle() {
      throw refuse('profile.company_code_requires_service')
    },
  })
  bind({
    operation: createOfferPass,
    handle: async ({ caller, body }) =>
      passForRow(context, customerOf(caller), await findByCode(context, body.code), body.slug),
  })
  bind({
    operation: connectRoute,
    async handle({ caller, call, body }) {
      const service = await findByCode(context, body.code)
      return connect(context, customerOf(caller), service, { ...connectInput(caller, call, body), requestId: null })
    },
  })
}

export function bindConnections(bind: BindRoute, context: CustomerContext): void {
  bind({
    operation: listCompanyConnections,
    handle: ({ caller, query }) => listConnectionPage(context, caller.accountId, query),
  })
  bind({
    operation: readCompanyConnection,
    locate: ({ caller, params }) => locateConnection(context, caller, params.id),
    handle: ({ located }) => readWithDocuments(context, located),
  })
  bind({
    operation: createConnectionPass,
    locate: ({ caller, params }) => locateConnection(context, caller, params.id),
    handle: ({ caller, located, body }) => passForRow(context, customerOf(caller), located.connection, body.slug),
  })
  bind({
    operation: disconnectRoute,
    locate: ({ caller, params }) => locateConnection(context, caller, params.id),
    async handle({ located }): Promise<undefined> {
      await disconnect(context, located.connection)
    },
  })
  bind({
    operation: changeMappingsRoute,
    async locate({ caller, params: { id, serviceLinkId } }) {
      if (serviceLinkId !== id) throw connectionNotFound()
      return locateConnection(context, caller, id)
    },
    handle: ({ located, body }) => changeMappings(context, located.connection, body),
  })
  bind({
    operation: readCardPhotoRoute,
    locate: ({ caller, params }) => locateConnection(context, caller, params.id),
    async handle({ located, params }) {
      const { content, contentType, sha256 } = await readCardPhoto(context, located, params.photoId)
      const headers = {
        'content-type': contentType,
        [digestHeader(context.settings)]: sha256,
        'cache-control': 'private, no-cache',
      }
      return answer(content, { headers })
    },
  })
}
