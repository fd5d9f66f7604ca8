import { closedState, openDeviceStore } from '@sealpost/session/closed'
import { serveCommands } from '@sealpost/web-app/serve'

/**
 * The one place with keys, tokens and opened values. It takes commands and answers plain data; what a page must not have,
 * such as the private key, has no command. The first page needs to know only whether this device has an account, so
 * everything else is loaded with the first other command.
 */
const NAME = 'sealpost-portal'
const store = openDeviceStore(indexedDB, { name: NAME, version: 1, stores: [] }, new BroadcastChannel(NAME))

serveCommands({
  first: async ({ name }) => {
    // An end that the platform has not heard of is told by the rest of the worker.
    if (name !== 'sessionState' || (await store.readOwed()) !== null) return null
    return { value: closedState(await store.read()) }
  },
  load: async (settings, changed) => (await import('./full.ts')).openFull(settings, store, changed),
})
