import { readSettings } from '@sealpost/kernel'
import { recordingTelemetry } from '@sealpost/telemetry'
import type { World } from '@sealpost/testkit'
import type { ReservedPort } from '@sealpost/testkit/engines'
import { startWeb, webSettings } from '@sealpost/web'

export interface SiteOptions {
  readonly root: string
  readonly at: ReservedPort
  /** Where browsers reach the front door or a region, in place of its own address. */
  readonly between?: ((url: string, world: World) => Promise<string>) | undefined
  /** Others that its pages may call. */
  readonly apiOrigins?: readonly string[] | undefined
  /** For the portal: where customers connect. */
  readonly personAppUrl?: string | undefined
  /** The path of a PEM file: who may seal PDFs. */
  readonly sealRoots?: string | undefined
}

/** A built web app under its real headers, until the world ends. */
export async function serveSite(world: World, options: SiteOptions): Promise<void> {
  const { root, at, between = (url: string) => Promise.resolve(url), apiOrigins = [], sealRoots = '' } = options
  const variables = {
    WEB_ROOT: root,
    SEAL_ROOTS: sealRoots,
    PERSON_APP_URL: options.personAppUrl ?? '',
    // Passkeys need a name, and the cookies of the front door the same one.
    FRONT_DOOR_URL: (await between(world.frontDoor.url, world)).replace('127.0.0.1', 'localhost'),
    API_ORIGINS: [
      await between(world.eu.url ?? '', world),
      await between(world.us.url ?? '', world),
      ...apiOrigins,
    ].join(','),
    LISTEN_PORT: String(at.port),
    INTERNAL_PORT: '0',
  }
  const web = await startWeb(readSettings(webSettings, variables), { telemetry: recordingTelemetry() })
  world.onEnd(async () => {
    await web.close()
    at.release()
  })
}
