import { listAttention as listAttentionRoute } from '@sealpost/protocol'
import type { BindRoute } from '../../platform/bind-route.ts'
import type { PortalContext } from './context.ts'
import { listAttention } from './operations/list-attention.ts'

export function bindPortalRoutes(bind: BindRoute, portal: PortalContext): void {
  bind({ operation: listAttentionRoute, handle: ({ caller }) => listAttention(portal, caller) })
}
