import { DIRECTORY, parseParty } from '@sealpost/bus'
import { parseClientId } from '@sealpost/kernel'
import {
  createClaimPass,
  findHomeAsk,
  passForClaimAsk,
  readUserInfo as readUserInfoRoute,
  readUserInfoAsk,
  refuse,
} from '@sealpost/protocol'
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
  bind({
    operation: createClaimPass,
    // The plugins are in the region of the app's company, which a person's region finds at the directory.
    async handle({ caller: { kind, claims }, body }) {
      const clientId = parseClientId(body.client_id)
      const isOwn = kind !== 'signin_app' || clientId === claims.clientId
      if (clientId === null || !isOwn) throw refuse('plugin.not_found')
      const asked = { user_id: null, client_id: clientId }
      const { region } = await bus.ask(findHomeAsk, { to: DIRECTORY, body: asked })
      if (region === null) throw refuse('plugin.not_found')
      const { pass } = await bus.ask(passForClaimAsk, { to: parseParty(region), body })
      if (pass === null) throw refuse('plugin.not_found')
      return pass
    },
  })
}
