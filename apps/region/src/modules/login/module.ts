import type { Module, Platform } from '../../platform/module.ts'
import type { AccountContext } from '../account/index.ts'
import { answerLogins } from './bus.ts'
import type { LoginContext, LoginHooks } from './context.ts'
import { tidyLogins } from './operations/tidy.ts'
import { bindSecurityRoutes, checkSecondFactor } from './security/index.ts'

export function openLogin(
  platform: Platform,
  { account, hooks }: { readonly account: AccountContext; readonly hooks: LoginHooks },
): LoginContext & Module {
  const { settings } = platform
  const login: LoginContext = {
    ...platform,
    // Ordinary calls of other tenants must not keep anyone from logging in.
    database: platform.database.reserved,
    account,
    directory: account.directory,
    webAuthn: { rpId: settings.WEBAUTHN_RP_ID, origins: settings.APP_ORIGINS },
    checkSecondFactor: (...code) => checkSecondFactor(login, ...code),
    hooks,
  }
  return {
    ...login,
    name: 'login',
    routes: (bind) => bindSecurityRoutes(bind, login),
    onBus: () => answerLogins(login),
    chores: [{ what: 'logins', run: () => tidyLogins({ ...login, database: platform.database }) }],
  }
}
