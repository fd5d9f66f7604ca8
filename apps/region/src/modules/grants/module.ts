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
    onBus: () => answerGrants(grants),
    chores: [{ what: 'grants', run: () => tidyGrants(grants) }],
  }
}
