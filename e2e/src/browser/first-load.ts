import { get } from 'node:http'
import type { Browser, Page } from 'playwright-core'

export interface FirstLoad {
  readonly kilobytes: number
  readonly files: readonly string[]
}

/** What a browser without a cache loads until the first page is drawn, as it is sent. */
export async function firstLoad(
  browser: Browser,
  url: string,
  isDrawn: (page: Page) => Promise<void>,
): Promise<FirstLoad> {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-GB' })
  const page = await context.newPage()
  const asked = new Set<string>()
  context.on('request', (request) => asked.add(new URL(request.url()).pathname))
  await page.goto(url)
  await isDrawn(page)
  await page.waitForLoadState('networkidle')
  // Asked for once more: a browser does not tell the sizes of what its workers load.
  const files = await Promise.all([...asked].map(async (path) => [path, await sentBytes(`${url}${path}`)] as const))
  const kilobytes = files.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000
  console.log(`first load: ${kilobytes.toFixed(1)} KB in ${files.length} files`)
  for (const [path, bytes] of files) console.log(`  ${(bytes / 1000).toFixed(1).padStart(6)} KB ${path}`)
  return { kilobytes, files: [...asked] }
}

function sentBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => (bytes += part.length))
      response.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
}
