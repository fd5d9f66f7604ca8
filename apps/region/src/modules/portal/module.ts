import type { Module, Platform } from '../../platform/module.ts'
import type { PortalContext } from './context.ts'
import { bindPortalRoutes } from './routes.ts'

export function openPortal(platform: Platform): PortalContext & Module {
  return { ...platform, name: 'portal', routes: (bind) => bindPortalRoutes(bind, platform) }
}
