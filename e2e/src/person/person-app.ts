import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { APP_ORIGIN, openWorld, reservePort, testSeal, type World } from '@sealpost/testkit'
import type { Browser } from 'playwright-core'
import { type AppOnDevice, type DeviceOptions, openDevice } from '../browser/device.ts'
import { launchQuietly } from '../browser/launch-quietly.ts'
import { borrowBrowser } from '../browser/shared-browser.ts'
import { serveSite } from '../browser/site.ts'
import { builtPerson } from './built-person.ts'

export { type AppOnDevice, type DeviceOptions, viewports } from '../browser/device.ts'

export interface PersonApp {
  readonly world: World
  readonly url: string
  readonly browser: Browser
  /** A browser of its own: another device. */
  device(options?: DeviceOptions): Promise<AppOnDevice>
}

export interface PersonAppOptions {
  /** Where browsers reach the front door or a region, in place of its own address. */
  readonly between?: (url: string, world: World) => Promise<string>
  /** Others that its pages may call. */
  readonly apiOrigins?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  /** Further arguments of the browser. */
  readonly browserArguments?: readonly string[]
}

/** The built app under its real headers, in front of an installation of its own, with a real browser. */
export async function openPersonApp({
  between,
  apiOrigins,
  settings = {},
  browserArguments = [],
}: PersonAppOptions = {}): Promise<PersonApp> {
  const at = await reservePort()
  const origin = `http://localhost:${at.port}`
  const world = await openWorld({
    settings: {
      APP_ORIGINS: `${APP_ORIGIN},${origin}`,
      AUTH_WEB_URL: `${origin}/consent`,
      WEBAUTHN_RP_ID: 'localhost',
      ...settings,
    },
    withPersonas: false,
  })
  const scratch = mkdtempSync(join(tmpdir(), 'sealpost-person-'))
  world.onEnd(async () => rmSync(scratch, { recursive: true, force: true }))
  const roots = join(scratch, 'roots.pem')
  writeFileSync(roots, testSeal().root)
  await serveSite(world, { root: await builtPerson(), at, between, apiOrigins, sealRoots: roots })
  const browser = await browserFor(world, browserArguments)
  return {
    world,
    url: origin,
    browser,
    device: (given) => openDevice(browser, origin, given),
  }
}

/** The shared one, unless it has to be started in another way. */
async function browserFor(world: World, more: readonly string[]): Promise<Browser> {
  if (more.length === 0) return borrowBrowser(world)
  const own = await launchQuietly(more)
  world.onEnd(() => own.close())
  return own
}
