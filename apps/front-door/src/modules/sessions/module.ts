import type { Module, Platform } from '../../platform/module.ts'
import { bindRegistration, bindSessions } from './routes.ts'

export function openSessions(platform: Platform): Module {
  return {
    name: 'sessions',
    routes(http) {
      bindSessions(http, platform)
      bindRegistration(http, platform)
    },
  }
}
