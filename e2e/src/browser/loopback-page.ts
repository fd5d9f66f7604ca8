import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { borrowBrowser } from './shared-browser.ts'

export interface LoopbackPage {
  /**
   * Calls a function, given as an expression of the page, with JSON. Also rejects when the page had another error or
   * sent a request to another server.
   */
  call<Answer>(callee: string, argument: unknown): Promise<Answer>
  close(): Promise<void>
}

/** A headless Chromium with one page that contains only the script, on a secure origin. */
export async function openLoopbackPage(script: string): Promise<LoopbackPage> {
  const browser = await borrowBrowser()
  const server = await serve(script)
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const origin = `http://127.0.0.1:${portOf(server)}`
  const errors: string[] = []
  await refuseOthers(context, origin, errors)
  const page = await context.newPage()
  page.on('pageerror', (error) => errors.push(`the page failed: ${error.message}`))
  await page.goto(origin)
  return {
    call: (callee, argument) => evaluateQuietly(page, errors, `(${callee})(${JSON.stringify(argument)})`),
    async close() {
      await context.close()
      server.close()
      throwIfAny(errors)
    },
  }
}

async function evaluateQuietly<Answer>(page: Page, errors: string[], expression: string): Promise<Answer> {
  const [called] = await Promise.allSettled([page.evaluate<Answer>(expression)])
  throwIfAny(errors.splice(0))
  if (called.status === 'rejected') throw called.reason
  return called.value
}

function throwIfAny(errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

async function refuseOthers(context: BrowserContext, origin: string, errors: string[]): Promise<void> {
  const isOther = (url: URL): boolean => url.origin !== origin
  await context.route(isOther, async (route) => {
    errors.push(`the page reached for ${route.request().url()}`)
    await route.abort()
  })
  await context.routeWebSocket(isOther, async (socket) => {
    errors.push(`the page reached for ${socket.url()}`)
    await socket.close()
  })
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
