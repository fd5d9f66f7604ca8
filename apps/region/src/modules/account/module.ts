import type { Module, Platform } from '../../platform/module.ts'
import { accountDirectory, onDelegations, onErasedAccounts } from './bus.ts'
import type { AccountContext, AccountHooks } from './context.ts'
import { tellUntold } from './operations/tell-delegations.ts'
import { bindAccountRoutes } from './routes/index.ts'

export function openAccount(platform: Platform, hooks: AccountHooks): AccountContext & Module {
  const { region, settings, bus, ids } = platform
  const otherRegions = settings.REGIONS.map(({ code }) => code).filter((code) => code !== region)
  const account: AccountContext = { ...platform, directory: accountDirectory(bus, ids, otherRegions), hooks }
  return {
    ...account,
    name: 'account',
    routes: (bind) => bindAccountRoutes(bind, account),
    onBus(connected) {
      onErasedAccounts(connected)
      onDelegations(connected, account.directory)
    },
    chores: [{ what: 'delegates of an earlier release', run: () => tellUntold(account) }],
  }
}
