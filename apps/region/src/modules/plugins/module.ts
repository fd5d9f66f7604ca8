import type { Module, Platform } from '../../platform/module.ts'
import { answerForwarder } from './bus.ts'
import type { PluginsContext } from './context.ts'
import { bindPluginRoutes } from './routes.ts'

export function openPlugins(platform: Platform): PluginsContext & Module {
  return {
    ...platform,
    name: 'plugins',
    routes: (bind) => bindPluginRoutes(bind, platform),
    onBus: (bus) => answerForwarder(bus, platform),
  }
}
