import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '@sealpost/kernel'
import { recordingTelemetry } from '@sealpost/telemetry'
import { APP_ORIGIN, openWorld, reservePort, scaled, testSeal, type World } from '@sealpost/testkit'
import { startWeb, webSettings } from '@sealpost/web'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchQuietly } from '../browser/launch-quietly.ts'
import { borrowBrowser } from '../browser/shared-browser.ts'
import { builtPerson } from './built-person.ts'

/** A phone and a desk. */
export const viewports = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desk: { viewport: { width: 1280, height: 900 } },
} as const satisfies Record<string, BrowserContextOptions>

export interface AppOnDevice {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of the page, and what its policy has refused: none, unless a test expects some. */
  readonly complaints: string[]
  /** Everything that the page and its worker have sent. */
  readonly sent: string[]
}

export interface PersonApp {
  readonly world: World
  readonly url: string
  readonly browser: Browser
  /** A browser of its own: another device. */
  device(options?: DeviceOptions): Promise<AppOnDevice>
}

export interface DeviceOptions extends BrowserContextOptions {
  readonly authenticator?: 'prf' | 'plain'
  /**
   * Whether the app installs its service worker, which keeps the app and takes notices. No unless told: it costs 1 s of
   * CPU on each device, and shows only there.
   */
  readonly keepsApp?: boolean
}

const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('the policy refused ' + event.effectiveDirective + ' ' + event.blockedURI)
})`

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
  between = (url) => Promise.resolve(url),
  apiOrigins = [],
  settings = {},
  browserArguments = [],
}: PersonAppOptions = {}): Promise<PersonApp> {
  const { port, release } = await reservePort()
  const origin = `http://localhost:${port}`
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
  const variables = {
    WEB_ROOT: await builtPerson(),
    SEAL_ROOTS: roots,
    // Passkeys need a name, and the cookies of the front door the same one.
    FRONT_DOOR_URL: (await between(world.frontDoor.url, world)).replace('127.0.0.1', 'localhost'),
    API_ORIGINS: [
      await between(world.eu.url ?? '', world),
      await between(world.us.url ?? '', world),
      ...apiOrigins,
    ].join(','),
    LISTEN_PORT: String(port),
    INTERNAL_PORT: '0',
  }
  const web = await startWeb(readSettings(webSettings, variables), { telemetry: recordingTelemetry() })
  world.onEnd(async () => {
    await web.close()
    release()
  })
  const browser = await browserFor(world, browserArguments)
  return {
    world,
    url: origin,
    browser,
    async device({ authenticator, keepsApp = false, ...options } = {}) {
      const serviceWorkers = keepsApp ? 'allow' : 'block'
      const context = await browser.newContext({ ...viewports.phone, locale: 'en-GB', serviceWorkers, ...options })
      context.setDefaultTimeout(scaled(30_000))
      const page = await context.newPage()
      const complaints: string[] = []
      const sent: string[] = []
      await watch(page, complaints, sent)
      if (authenticator !== undefined) await addAuthenticator(page, authenticator)
      await page.goto(origin)
      return { context, page, complaints, sent }
    },
  }
}

/** The shared one, unless it has to be started in another way. */
async function browserFor(world: World, more: readonly string[]): Promise<Browser> {
  if (more.length === 0) return borrowBrowser(world)
  const own = await launchQuietly(more)
  world.onEnd(() => own.close())
  return own
}

async function watch(page: Page, complaints: string[], sent: string[]): Promise<void> {
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser reports every refusal of the platform as well; pages show those in words.
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text())
  })
  page.context().on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.addInitScript(REPORT_VIOLATIONS)
}

/** A device with a fingerprint reader, in software; `plain` has no PRF, so it cannot keep a key. */
async function addAuthenticator(page: Page, kind: 'prf' | 'plain'): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf: kind === 'prf',
    },
  })
}
