import type { Module, Platform } from '../../platform/module.ts'
import { clientDirectory } from './bus.ts'
import type { AccessContext } from './context.ts'

/** `api.ts` binds its token route and its gates, which stand before the routes of all modules. */
export function openAccess(platform: Platform): AccessContext & Module {
  const { bus, ids, settings } = platform
  return { ...platform, name: 'access', directory: clientDirectory(bus, ids, settings.REGIONS) }
}
