import type { Module, Platform } from '../../platform/module.ts'
import type { LoginContext } from '../login/index.ts'
import { answerGrants, revokeElsewhere } from './bus.ts'
import type { GrantsContext } from './context.ts'
import { tidyGrants } from './operations/tidy.ts'
import { bindGrantRoutes } from './routes.ts'

export function openGrants(platform: Platform, { login }: { readonly login: LoginContext }): GrantsContext & Module {
  const grants: GrantsContext = { ...platform, login, revokeElsewhere: revokeElsewhere(platform.bus) }
  return {
    ...grants,
    name: 'grants',
    routes: (bind) => bindGrantRoutes(bind, grants),
    // The front door asks about codes and tokens: ordinary calls of other tenants must not delay them.
    onBus: () => answerGrants({ ...grants, database: platform.database.reserved }),
    chores: [{ what: 'grants', run: () => tidyGrants(grants) }],
  }
}
