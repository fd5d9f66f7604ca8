import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** `PICTURES=folder` keeps pictures of pages there. */
const pictures = process.env['PICTURES']

export async function keepPicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  // As tall as its content, so that what is fixed at the edge of the screen stands there.
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.max(height, whole) })
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
  await page.setViewportSize({ width, height })
}
