import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { openInternalServer } from '@sealpost/http'
import type { AppContext, RunningApp } from '@sealpost/process'
import { contentPolicy, securityHeaders } from './policy.ts'
import { createSiteServer } from './serve.ts'
import type { WebSettings } from './settings.ts'
import { readSite } from './site.ts'

export interface RunningWeb extends RunningApp {
  readonly url: string
}

/** Serves one built web app from memory. It has no engines and no state. */
export async function startWeb(
  settings: WebSettings,
  { telemetry }: Pick<AppContext, 'telemetry'>,
): Promise<RunningWeb> {
  const { WEB_ROOT, FRONT_DOOR_URL, API_ORIGINS, PERSON_APP_URL, SEAL_ROOTS } = settings
  const policy = contentPolicy([new URL(FRONT_DOOR_URL).origin, ...API_ORIGINS])
  const sealRoots = SEAL_ROOTS === '' ? null : readFileSync(SEAL_ROOTS)
  const site = readSite(WEB_ROOT, { frontDoorUrl: FRONT_DOOR_URL, personAppUrl: PERSON_APP_URL, policy, sealRoots })
  const server = createSiteServer(site, securityHeaders(policy))
  server.listen({ host: settings.LISTEN_HOST, port: settings.LISTEN_PORT })
  await once(server, 'listening')
  const internal = openInternalServer(telemetry, [])
  const internalUrl = await internal.listen({ host: settings.INTERNAL_HOST, port: settings.INTERNAL_PORT })
  return {
    url: urlOf(server, settings.LISTEN_HOST),
    internalUrl,
    drain: () => internal.drain(),
    async close() {
      server.close()
      server.closeIdleConnections()
      server.closeAllConnections()
      await internal.close()
    },
  }
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  return `http://${host}:${typeof address === 'object' && address !== null ? address.port : 0}`
}
