/**
 * Keeps the app itself on the device, so that it opens without a network; never data. `SHELL_FILES` and `SHELL_VERSION`
 * come from the build.
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

interface ServiceWorkerScope {
  readonly location: Location
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(name: 'fetch', listener: (event: FetchEvent) => void): void
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
  // oxlint-disable-next-line sealpost/egress -- in a browser, to the own origin only
  return kept ?? fetch(request)
}
