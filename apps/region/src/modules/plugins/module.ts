import type { Module, Platform } from '../../platform/module.ts'
import { answerForwarder } from './bus.ts'
import type { PluginsContext, PluginsHooks } from './context.ts'
import { bindPluginRoutes } from './routes.ts'

export function openPlugins(platform: Platform, hooks: PluginsHooks): PluginsContext & Module {
  const plugins: PluginsContext = { ...platform, hooks }
  return {
    ...plugins,
    name: 'plugins',
    routes: (bind) => bindPluginRoutes(bind, plugins),
    onBus: (bus) => answerForwarder(bus, plugins),
  }
}
