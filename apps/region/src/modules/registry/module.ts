import type { Module, Platform } from '../../platform/module.ts'
import type { RegistryContext, RegistryHooks } from './context.ts'
import { bindRegistryRoutes } from './routes.ts'

export function openRegistry(platform: Platform, hooks: RegistryHooks): RegistryContext & Module {
  const registry: RegistryContext = { ...platform, hooks }
  return { ...registry, name: 'registry', routes: (bind) => bindRegistryRoutes(bind, registry) }
}
