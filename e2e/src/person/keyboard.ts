import type { Page } from 'playwright-core'

interface Focused {
  readonly role: string
  readonly name: string
  readonly type: string
}

/** The way of a person without a pointer: Tab until it is there. */
export async function reach(page: Page, isIt: (focused: Focused) => boolean): Promise<void> {
  for (let tabs = 0; tabs < 80; tabs += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<Focused>(`(() => {
      const { tagName, type = '', textContent = '', labels, ariaLabel } = document.activeElement
      const name = ariaLabel ?? labels?.[0]?.textContent ?? textContent
      return { role: { A: 'link', BUTTON: 'button', INPUT: 'field' }[tagName] ?? '', name: name.trim(), type }
    })()`)
    if (isIt(focused)) return
  }
  throw new Error('Tab does not lead there')
}

export async function press(page: Page, role: 'link' | 'button', name: string): Promise<void> {
  await page.getByRole(role, { name }).first().waitFor()
  await reach(page, (focused) => focused.role === role && focused.name.startsWith(name))
  await page.keyboard.press('Enter')
}

export async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).waitFor()
  await reach(page, (focused) => focused.role === 'field' && focused.name.startsWith(label))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}
