import { parseParty } from '@sealpost/bus'
import { readUserInfo as readUserInfoRoute, readUserInfoAsk, refuse } from '@sealpost/protocol'
import type { BindRoute } from '../../platform/bind-route.ts'
import type { GrantsContext } from './context.ts'

export function bindGrantRoutes(bind: BindRoute, { bus, settings }: GrantsContext): void {
  bind({
    operation: readUserInfoRoute,
    // The gates of the app's region have checked the token; the shared values are in the user's home region, which the
    // grant's id names.
    async handle({ caller: { claims } }) {
      const home = settings.REGIONS.find(({ code }) => claims.sessionId.startsWith(`${code}.`))
      if (home === undefined) throw refuse('auth.token_invalid')
      const body = { grant_id: claims.sessionId, client_id: claims.clientId }
      const { info } = await bus.ask(readUserInfoAsk, { to: parseParty(home.code), body })
      if (info === null) throw refuse('auth.token_invalid')
      return info
    },
  })
}
