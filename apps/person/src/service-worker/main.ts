import { noticeOf } from './notice.ts'

/**
 * Keeps the app itself on the device, so that it opens without a network; never data. Shows notices while the app is
 * closed. `SHELL_FILES` and `SHELL_VERSION` come from the build.
 */
declare const SHELL_FILES: readonly string[]
declare const SHELL_VERSION: string

interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void
}

interface FetchEvent extends Event {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null
}

interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification
}

/** An open page of the app. */
interface PageClient {
  readonly visibilityState: string
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}

interface ServiceWorkerScope {
  readonly location: Location
  readonly navigator: { readonly language: string }
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'getNotifications'>
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { readonly type: 'window' }): Promise<readonly PageClient[]>
    openWindow(path: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(name: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(name: 'push', listener: (event: PushEvent) => void): void
  addEventListener(name: 'notificationclick', listener: (event: NotificationEvent) => void): void
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this file runs as a service worker; the types are a page's
const scope = globalThis as unknown as ServiceWorkerScope
/**
 * [Note: a cached page keeps its headers] The page comes from the cache with the policy that it was stored with. So the
 * name of the cache also names the policy: the server puts a digest of it here, and a new one is a new service worker.
 */
const POLICY = '%policy-digest%'
const CACHE = `shell-${SHELL_VERSION}-${POLICY}`

scope.addEventListener('install', (event) => {
  event.waitUntil(fill().then(() => scope.skipWaiting()))
})

scope.addEventListener('activate', (event) => {
  event.waitUntil(dropOthers().then(() => scope.clients.claim()))
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  const isOurs = origin === scope.location.origin && request.method === 'GET' && !pathname.startsWith('/api/')
  if (isOurs) event.respondWith(answer(request))
})

scope.addEventListener('push', (event) => {
  event.waitUntil(tell(event))
})

scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openAt(event.notification.data))
})

async function tell({ data }: PushEvent): Promise<void> {
  const notice = noticeOf(readJson(data), scope.navigator.language)
  if (notice === null) return
  const shown = await scope.registration.getNotifications({ tag: notice.tag })
  if (notice.act === 'close') {
    for (const each of shown) each.close()
    return
  }
  // An open page has learned it from its stream, and shows more.
  const pages = await scope.clients.matchAll({ type: 'window' })
  if (pages.some(({ visibilityState }) => visibilityState === 'visible')) return
  const { tag, text, path } = notice
  await scope.registration.showNotification('Sealpost', { tag, body: text, icon: '/icon.svg', data: path })
}

function readJson(data: PushEvent['data']): unknown {
  try {
    return data?.json() ?? null
  } catch {
    return null
  }
}

/** An open page goes there by itself: loading it would lock it. */
async function openAt(path: unknown): Promise<void> {
  if (typeof path !== 'string') return
  const [page] = await scope.clients.matchAll({ type: 'window' })
  if (page === undefined) await scope.clients.openWindow(path)
  else {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of the own origin takes none
    page.postMessage({ goTo: path })
    await page.focus()
  }
}

async function fill(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll(SHELL_FILES.map((file) => new Request(file, { cache: 'reload' })))
}

async function dropOthers(): Promise<void> {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name)
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  // Every page is the same document.
  const kept = await cache.match(request.mode === 'navigate' ? '/' : request)
  if (kept !== undefined) return kept
  // oxlint-disable-next-line sealpost/egress -- in a browser, to the own origin only
  const answered = await fetch(request)
  // Named by their content, and not among the files of the shell: kept from their first use on.
  if (answered.ok && new URL(request.url).pathname.startsWith('/assets/')) await cache.put(request, answered.clone())
  return answered
}
