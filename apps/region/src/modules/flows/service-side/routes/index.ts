import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { ServiceSideContext } from '../context.ts'
import { bindAuthoringRoutes } from './authoring.ts'

export function bindServiceSideRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bindAuthoringRoutes(bind, context)
}
