import { keepAccess, sessionCalls } from '@sealpost/session'
import { commands } from './commands/index.ts'
import type { PersonContext } from './context.ts'
import { openDeviceStore } from './device-store.ts'
import { workerFailure } from './failure-of.ts'
import type { Answer, Request, Settings } from './messages.ts'

/**
 * The one place with keys, tokens and opened values. It takes commands and answers plain data; what a page must not have,
 * such as the private key, has no command.
 */
interface WorkerScope {
  postMessage(message: Answer): void
  addEventListener(name: 'message', listener: (event: MessageEvent<Request | Settings>) => void): void
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this file runs as a worker; the types are a page's
const scope = globalThis as unknown as WorkerScope
let context: PersonContext | null = null

scope.addEventListener('message', ({ data }) => {
  if ('frontDoorUrl' in data) context = openContext(data)
  else if (context !== null) void answer(context, data)
})
scope.postMessage({ ready: true })

function openContext({ frontDoorUrl }: Settings): PersonContext {
  const calls = sessionCalls(frontDoorUrl)
  return {
    frontDoorUrl,
    calls,
    access: keepAccess(calls, 'person'),
    store: openDeviceStore(indexedDB),
    changed: (...topics) => scope.postMessage({ changed: topics }),
    open: null,
    pending: null,
  }
}

async function answer(now: PersonContext, { id, name, input }: Request): Promise<void> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page's `call` has checked the input against the name
    const run = commands[name] as (context: PersonContext, ...given: readonly unknown[]) => Promise<unknown>
    scope.postMessage({ id, value: await run(now, ...input) })
  } catch (error) {
    scope.postMessage({ id, failure: workerFailure(error) })
  }
}
