import { answer } from '@sealpost/http'
import { createConnectRequest } from '@sealpost/protocol'
import type { BindRoute } from '../../../../bind.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { requestConnection, type SentRequest } from '../operations/connect-requests.ts'
import { serviceOf } from './caller.ts'

export function bindRequestRoutes(bind: BindRoute, needs: ServiceSideNeeds): void {
  bind({
    operation: createConnectRequest,
    async handle({ caller, body, storeAnswer }) {
      const invitation = { shareCode: body.share_code, message: body.message ?? null }
      const keep = (tx: Parameters<typeof storeAnswer>[0], sent: SentRequest) => storeAnswer(tx, showRequest(sent))
      return showRequest(await requestConnection(needs, serviceOf(caller), invitation, keep))
    },
  })
}

function showRequest({ id, isNew }: SentRequest) {
  return answer({ request_id: id, status: 'pending' as const }, { status: isNew ? 201 : 200 })
}
