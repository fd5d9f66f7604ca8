import type { Module, Platform } from '../../platform/module.ts'
import { accountDirectory, onErasedAccounts } from './bus.ts'
import type { AccountContext, AccountHooks } from './context.ts'
import { bindAccountRoutes } from './routes/index.ts'

export function openAccount(platform: Platform, hooks: AccountHooks): AccountContext & Module {
  const { region, settings, bus, ids } = platform
  const otherRegions = settings.REGIONS.map(({ code }) => code).filter((code) => code !== region)
  const account: AccountContext = { ...platform, directory: accountDirectory(bus, ids, otherRegions), hooks }
  return {
    ...account,
    name: 'account',
    routes: (bind) => bindAccountRoutes(bind, account),
    onBus: onErasedAccounts,
  }
}
