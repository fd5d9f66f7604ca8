import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { ServiceSideContext } from '../context.ts'

export function bindAuthoringRoutes(_bind: BindRoute, _context: ServiceSideContext): void {}
