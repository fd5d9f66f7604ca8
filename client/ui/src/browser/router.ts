import { useSyncExternalStore } from 'react'

const MOVED = 'sealpost-moved'
const EVENTS = [MOVED, 'popstate', 'hashchange']

/** Goes to a page of the app. The next page says its name, so nothing keeps the focus. */
export function navigate(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  window.scrollTo(0, 0)
  window.dispatchEvent(new Event(MOVED))
}

const shownHref = (): string => location.pathname + location.search + location.hash

export interface Place {
  readonly path: string
  readonly query: URLSearchParams
  /** With its `#`; it stays in the browser. */
  readonly fragment: string
}

/** The address of the page that is shown. */
export function useLocation(): Place {
  const href = useSyncExternalStore(
    (changed) => {
      for (const name of EVENTS) window.addEventListener(name, changed)
      return () => {
        for (const name of EVENTS) window.removeEventListener(name, changed)
      }
    },
    shownHref,
    shownHref,
  )
  const { pathname, searchParams, hash } = new URL(href, location.origin)
  return { path: pathname, query: searchParams, fragment: hash }
}

/** Links of the app change the page without loading it; all others are the browser's. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const href = ownHref(event)
    if (href === null) return
    event.preventDefault()
    navigate(href)
  })
}

function ownHref(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null
  const { origin, pathname, search, hash, protocol } = new URL(link.href, location.href)
  return origin === location.origin && protocol.startsWith('http') ? pathname + search + hash : null
}
