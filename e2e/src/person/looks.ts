import type { Page } from 'playwright-core'
import { findBarriers } from './axe.ts'
import { findMisfits } from './layout.ts'

const usual = { colorScheme: 'light', direction: 'ltr', textSize: '100%' } as const

/** The ways in which a page is shown. */
const looks = {
  light: usual,
  dark: { ...usual, colorScheme: 'dark' },
  'large-text': { ...usual, textSize: '200%' },
  'right-to-left': { ...usual, direction: 'rtl' },
} as const

export type Look = keyof typeof looks

/** Changes the open page: to open it again in each look would take most of the time. */
export async function setLook(page: Page, look: Look): Promise<void> {
  const { colorScheme, direction, textSize } = looks[look]
  // Colours that are still changing would be measured in between.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(`(() => {
    document.documentElement.dir = '${direction}'
    document.documentElement.style.fontSize = '${textSize}'
  })()`)
}

/** Barriers and misfits of the page in this look, as text. The first look of a page has to be `light`. */
export async function findFaults(page: Page, look: Look): Promise<readonly string[]> {
  const barriers = await findBarriers(page, { ofLook: look !== 'light' })
  return [...barriers, ...(await findMisfits(page))]
}
