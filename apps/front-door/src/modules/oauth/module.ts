import type Provider from 'oidc-provider'
import type { Module, Platform } from '../../platform/module.ts'
import { answerTokenRelay } from './bus.ts'
import { createOAuthProvider } from './engine/provider.ts'
import { bindOAuth } from './routes.ts'

export interface OAuth extends Module {
  readonly provider: Provider
}

export function openOAuth(platform: Platform): OAuth {
  const { PUBLIC_URL: issuer } = platform.settings
  const provider = createOAuthProvider(platform)
  return {
    name: 'oauth',
    provider,
    onBus: (bus) => answerTokenRelay(bus, provider, issuer),
    routes: ({ server, gates }) => bindOAuth(server, gates, provider, issuer),
  }
}
