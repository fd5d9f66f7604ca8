export type { PluginsContext, PluginsHooks } from './context.ts'
export { pluginsMigrations } from './migrations.ts'
export type { NewUse, UseOwner } from './model.ts'
export { openPlugins } from './module.ts'
export { deleteAllPlugins } from './operations/delete-plugin.ts'
export {
  lockAllPluginFacts,
  lockPluginFacts,
  readAllPluginFacts,
  readPluginFacts,
  readPluginKeys,
} from './operations/plugin-facts.ts'
export { forgetUses, recordUses } from './operations/record-uses.ts'
export { type RewrappedPlugins, rewrapPlugins } from './operations/rewrap-tokens.ts'
export { signPass } from './operations/sign-pass.ts'
