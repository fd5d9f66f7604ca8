import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

export interface LoopbackPage {
  /**
   * Calls a function, given as an expression of the page, with JSON. Rejects also when the page failed aside of it or
   * reached beyond its own server.
   */
  call<Answer>(callee: string, argument: unknown): Promise<Answer>
  close(): Promise<void>
}

const DEBIAN_CHROMIUM = '/usr/bin/chromium'
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // The flags above do not stop the browser from asking its maker for updates and accounts; without names it cannot.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** A headless Chromium with one page that holds nothing but the script, on an origin that browsers hold for secure. */
export async function openLoopbackPage(script: string): Promise<LoopbackPage> {
  const browser = await launchQuietly()
  const server = await serve(script)
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const origin = `http://127.0.0.1:${portOf(server)}`
  const complaints: string[] = []
  await refuseOthers(context, origin, complaints)
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(`the page failed: ${error.message}`))
  await page.goto(origin)
  return {
    call: (callee, argument) => evaluateQuietly(page, complaints, `(${callee})(${JSON.stringify(argument)})`),
    async close() {
      await browser.close()
      server.close()
      throwIfAny(complaints)
    },
  }
}

/** A headless Chromium that reaches nobody but this machine. */
export function launchQuietly(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), headless: true, args: QUIET })
}

async function evaluateQuietly<Answer>(page: Page, complaints: string[], expression: string): Promise<Answer> {
  const [called] = await Promise.allSettled([page.evaluate<Answer>(expression)])
  throwIfAny(complaints.splice(0))
  if (called.status === 'rejected') throw called.reason
  return called.value
}

function throwIfAny(complaints: readonly string[]): void {
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}

async function refuseOthers(context: BrowserContext, origin: string, complaints: string[]): Promise<void> {
  const isOther = (url: URL): boolean => url.origin !== origin
  await context.route(isOther, async (route) => {
    complaints.push(`the page reached for ${route.request().url()}`)
    await route.abort()
  })
  await context.routeWebSocket(isOther, async (socket) => {
    complaints.push(`the page reached for ${socket.url()}`)
    await socket.close()
  })
}

function findChromium(): string {
  const program = process.env['SEALPOST_CHROMIUM'] ?? DEBIAN_CHROMIUM
  if (existsSync(program)) return program
  throw new Error(`there is no browser at ${program}: run npm run infra, or let SEALPOST_CHROMIUM name a Chromium`)
}

async function serve(script: string): Promise<Server> {
  const html = '<!doctype html><link rel="icon" href="data:,"><script src="/script.js"></script>'
  const server = createServer((request, response) => {
    const isScript = request.url === '/script.js'
    response.setHeader('content-type', `${isScript ? 'text/javascript' : 'text/html'}; charset=utf-8`)
    response.end(isScript ? script : html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has an address of this shape
  return (server.address() as AddressInfo).port
}
