/** What a person does with mouse and keys, as the events that a browser sends. */
export function click(element: HTMLElement): void {
  const options = { bubbles: true, cancelable: true, composed: true, button: 0, detail: 1, pointerType: 'mouse' }
  element.dispatchEvent(new PointerEvent('pointerdown', options))
  const isTaken = element.dispatchEvent(new MouseEvent('mousedown', options))
  if (isTaken) focusable(element)?.focus()
  element.dispatchEvent(new PointerEvent('pointerup', options))
  element.dispatchEvent(new MouseEvent('mouseup', options))
  element.click()
}

/** Replaces what is there. */
export function type(element: HTMLElement, text: string): void {
  element.focus()
  if (!isTyped(element)) throw new Error(`nothing can be typed into a ${element.tagName.toLowerCase()}`)
  // React overwrites `value` of the element itself to notice what the page sets.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, text)
  element.dispatchEvent(new Event('input', { bubbles: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}

/** `Enter`, `ArrowDown`, `Control+k`. */
export function press(element: Element, keys: string): void {
  const names = keys.split('+')
  const key = names.at(-1) ?? ''
  const held = {
    ctrlKey: names.includes('Control'),
    shiftKey: names.includes('Shift'),
    metaKey: names.includes('Meta'),
  }
  const options = { key, bubbles: true, cancelable: true, composed: true, ...held }
  const isTaken = element.dispatchEvent(new KeyboardEvent('keydown', options))
  if (isTaken && element instanceof HTMLElement) actOn(element, key)
  element.dispatchEvent(new KeyboardEvent('keyup', options))
}

/** What the browser itself does when the page lets it. */
function actOn(element: HTMLElement, key: string): void {
  const isClicked = element instanceof HTMLButtonElement || (element instanceof HTMLAnchorElement && key === 'Enter')
  if (isClicked && (key === 'Enter' || key === ' ')) element.click()
  else if (key === 'Enter' && element instanceof HTMLInputElement) element.form?.requestSubmit()
}

function focusable(element: HTMLElement): HTMLElement | null {
  return element.closest<HTMLElement>('button, a[href], input, select, textarea, [tabindex]')
}

function isTyped(element: HTMLElement): element is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
}
