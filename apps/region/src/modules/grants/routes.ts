import { type Bus, parseParty } from '@sealpost/bus'
import { readUserInfo as readUserInfoRoute, readUserInfoAsk, refuse, type RegionAddress } from '@sealpost/protocol'
import type { BindRoute } from '../../bind.ts'

export interface GrantRoutesNeeds {
  readonly bus: Bus
  readonly regions: readonly RegionAddress[]
}

export function bindGrantRoutes(bind: BindRoute, needs: GrantRoutesNeeds): void {
  bind({
    operation: readUserInfoRoute,
    // The app's region has judged the token; what the person shared rests at the person's home, which the grant's id names.
    async handle({ caller: { claims } }) {
      const home = needs.regions.find(({ code }) => claims.sessionId.startsWith(`${code}.`))
      if (home === undefined) throw refuse('auth.token_invalid')
      const body = { grant_id: claims.sessionId, client_id: claims.clientId }
      const { info } = await needs.bus.ask(readUserInfoAsk, { to: parseParty(home.code), body })
      if (info === null) throw refuse('auth.token_invalid')
      return info
    },
  })
}
