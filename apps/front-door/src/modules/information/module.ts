import type { Module, Platform } from '../../platform/module.ts'
import { bindInstallation, bindPages, bindReference } from './routes.ts'

export function openInformation(platform: Platform): Module {
  return {
    name: 'information',
    async routes(http) {
      bindInstallation(http, platform)
      bindPages(http)
      await bindReference(http, platform.settings)
    },
  }
}
