import { APP_ORIGIN, openWorld, reservePort, type World } from '@sealpost/testkit'
import type { Browser } from 'playwright-core'
import { type AppOnDevice, type DeviceOptions, openDevice, viewports } from '../browser/device.ts'
import { borrowBrowser } from '../browser/shared-browser.ts'
import { serveSite } from '../browser/site.ts'
import { builtPerson } from '../person/built-person.ts'
import { builtPortal } from './built-portal.ts'

export interface Portal {
  readonly world: World
  readonly url: string
  readonly browser: Browser
  /** A browser of its own at a desk. */
  desk(options?: DeviceOptions): Promise<AppOnDevice>
  /** The person app, for what a company leads its customers to. */
  readonly personUrl: string
}

/** Both built apps, in front of an installation of their own. */
export async function openPortal(settings: Readonly<Record<string, string>> = {}): Promise<Portal> {
  const [at, personAt] = await Promise.all([reservePort(), reservePort()])
  const [url, personUrl] = [`http://localhost:${at.port}`, `http://localhost:${personAt.port}`]
  const world = await openWorld({
    settings: {
      APP_ORIGINS: [APP_ORIGIN, url, personUrl].join(','),
      AUTH_WEB_URL: `${personUrl}/consent`,
      WEBAUTHN_RP_ID: 'localhost',
      ...settings,
    },
    withPersonas: false,
  })
  await serveSite(world, { root: await builtPortal(), at, personAppUrl: personUrl })
  await serveSite(world, { root: await builtPerson(), at: personAt })
  const browser = await borrowBrowser(world)
  return {
    world,
    url,
    personUrl,
    browser,
    desk: (options) => openDevice(browser, url, { ...viewports.desk, hasTouch: false, isMobile: false, ...options }),
  }
}
