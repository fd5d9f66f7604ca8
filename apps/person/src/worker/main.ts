import { closedState } from './closed-state.ts'
import { openDeviceStore } from './device-store.ts'
import type { Full } from './full.ts'
import type { Answer, Outcome, Request, Settings } from './messages.ts'

/**
 * The one place with keys, tokens and opened values. It takes commands and answers plain data; what a page must not have,
 * such as the private key, has no command. The first page needs to know only whether this device has an account, so
 * everything else is loaded with the first other command.
 */
interface WorkerScope {
  postMessage(message: Answer): void
  addEventListener(name: 'message', listener: (event: MessageEvent<Request | Settings>) => void): void
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this file runs as a worker; the types are a page's
const scope = globalThis as unknown as WorkerScope
const store = openDeviceStore(indexedDB)
let settings: Settings | null = null
let full: Promise<Full> | null = null

scope.addEventListener('message', ({ data }) => {
  if ('frontDoorUrl' in data) settings = data
  else void answer(data).then((outcome) => scope.postMessage({ id: data.id, ...outcome }))
})
scope.postMessage({ ready: true })

async function answer(request: Request): Promise<Outcome> {
  try {
    if (request.name === 'sessionState' && full === null) return { value: closedState(await store.read()) }
    return await (await loadFull()).run(request)
  } catch (error) {
    // The file could not be loaded: without a network, before it was ever opened.
    full = null
    if (error instanceof TypeError) return { failure: { kind: 'offline' } }
    return { failure: { kind: 'unexpected', message: String(error) } }
  }
}

function loadFull(): Promise<Full> {
  full ??= import('./full.ts').then(({ openFull }) => {
    if (settings === null) throw new Error('a command came before the settings')
    return openFull(settings, store, (...topics) => scope.postMessage({ changed: topics }))
  })
  return full
}
