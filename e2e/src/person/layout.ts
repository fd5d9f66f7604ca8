import type { Page } from 'playwright-core'

/** What does not fit into the page: it is wider than the window, controls lie over each other, or text is cut. */
export function findMisfits(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const found = []
    // Not innerWidth: a phone zooms out until all that is too wide is within it.
    const { scrollWidth, clientWidth } = document.documentElement
    const wide = scrollWidth - clientWidth
    if (wide > 0) found.push('is ' + wide + ' px too wide')
    const nameOf = (element) => (element.ariaLabel ?? element.textContent ?? '').trim().slice(0, 40) || element.outerHTML.slice(0, 80)
    const isSeen = (element) => {
      const { width, height } = element.getBoundingClientRect()
      const { visibility, opacity } = getComputedStyle(element)
      return width > 2 && height > 2 && visibility === 'visible' && opacity !== '0'
    }
    // What is fixed to the window lies over the page on purpose; the page scrolls below it.
    const layerOf = (element) => {
      for (let at = element; at !== null; at = at.parentElement)
        if (['fixed', 'sticky'].includes(getComputedStyle(at).position) || at.tagName === 'DIALOG') return at
      return null
    }
    const controls = [...document.querySelectorAll('a[href], button, input, select, textarea')]
      .filter(isSeen)
      .map((element) => ({ element, layer: layerOf(element), box: element.getBoundingClientRect() }))
    const isWithin = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom
    for (const [at, one] of controls.entries())
      for (const other of controls.slice(at + 1)) {
        const [a, b] = [one.box, other.box]
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        if (across <= 1 || down <= 1 || one.layer !== other.layer || one.element.contains(other.element)) continue
        // In the frame of a field, as the button that shows a password.
        if (one.element.tagName === 'INPUT' && other.element.tagName === 'BUTTON' && isWithin(b, a)) continue
        found.push('“' + nameOf(one.element) + '” lies over “' + nameOf(other.element) + '”')
      }
    for (const element of document.querySelectorAll('main *, nav *, dialog *')) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
      const { overflowX, position, clipPath, textOverflow } = getComputedStyle(element)
      const isHidden = position === 'absolute' || clipPath !== 'none' || textOverflow === 'ellipsis'
      if (!hasText || isHidden || !isSeen(element) || !['hidden', 'clip'].includes(overflowX)) continue
      if (element.scrollWidth > element.clientWidth + 1) found.push('“' + nameOf(element) + '” is cut')
    }
    return found
  })()`)
}
