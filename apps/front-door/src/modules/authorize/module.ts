import type { Module, Platform } from '../../platform/module.ts'
import type { OAuth } from '../oauth/index.ts'
import { bindAuthorize, bindUserInfo } from './routes.ts'

export function openAuthorize(platform: Platform, { provider }: OAuth): Module {
  return {
    name: 'authorize',
    routes(http) {
      bindAuthorize(http, { ...platform, provider })
      bindUserInfo(http, platform)
    },
  }
}
