import { scaled } from '@sealpost/testkit'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

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

/** A browser of its own with the app at this address. */
export async function openDevice(
  browser: Browser,
  url: string,
  { authenticator, keepsApp = false, ...options }: DeviceOptions = {},
): Promise<AppOnDevice> {
  const serviceWorkers = keepsApp ? 'allow' : 'block'
  const context = await browser.newContext({ ...viewports.phone, locale: 'en-GB', serviceWorkers, ...options })
  context.setDefaultTimeout(scaled(30_000))
  const page = await context.newPage()
  const complaints: string[] = []
  const sent: string[] = []
  await watch(page, complaints, sent)
  if (authenticator !== undefined) await addAuthenticator(page, authenticator)
  await page.goto(url)
  return { context, page, complaints, sent }
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
