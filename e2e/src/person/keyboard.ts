import type { Page } from 'playwright-core'

interface Focused {
  readonly role: string
  readonly name: string
  readonly type: string
}

/** The way of a person without a pointer: Tab until it is there. */
export async function reach(page: Page, isIt: (focused: Focused) => boolean): Promise<void> {
  const passed: string[] = []
  for (let tabs = 0; tabs < 80; tabs += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<Focused>(`(() => {
      const { tagName, type = '', labels, ariaLabel } = document.activeElement
      const spoken = (labels?.[0] ?? document.activeElement).cloneNode(true)
      for (const silent of spoken.querySelectorAll('[aria-hidden=true]')) silent.remove()
      const name = ariaLabel ?? spoken.textContent
      const roles = { A: 'link', BUTTON: 'button', INPUT: 'field', SELECT: 'field', TEXTAREA: 'field' }
      return { role: roles[tagName] ?? '', name: name.trim(), type }
    })()`)
    if (isIt(focused)) return
    passed.push(`${focused.role} ${focused.name.slice(0, 30)}`)
  }
  throw new Error(`Tab does not lead there, but to ${[...new Set(passed)].join('; ')}`)
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

/** Tab leads to one of a group of radio buttons; arrows lead to the others. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name }).first().waitFor()
  await reach(page, (focused) => focused.type === 'radio')
  for (let arrows = 0; arrows < 12; arrows += 1) {
    const found = await page.evaluate<string>('document.activeElement.labels?.[0]?.textContent ?? ""')
    if (found.trim().startsWith(name)) {
      await page.keyboard.press('Space')
      return
    }
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`the arrows do not lead to ${name}`)
}

export async function tick(page: Page, name: string): Promise<void> {
  await page.getByRole('checkbox', { name }).first().waitFor()
  await reach(page, (focused) => focused.type === 'checkbox' && focused.name.startsWith(name))
  await page.keyboard.press('Space')
}
