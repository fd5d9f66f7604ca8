import type { Module, Platform } from '../../platform/module.ts'
import { bindInstallation, bindReference } from './routes.ts'

export function openInformation(platform: Platform): Module {
  return {
    name: 'information',
    async routes(http) {
      bindInstallation(http, platform)
      await bindReference(http, platform.settings)
    },
  }
}
