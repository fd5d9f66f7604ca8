import { closedState, openDeviceStore } from '@sealpost/session/closed'
import { serveCommands } from '@sealpost/web-app/serve'
import { DRAFTS, OUTGOING } from './message-store.ts'
import { TURNS } from './turn-store.ts'

/**
 * The one place with keys, tokens and opened values. It takes commands and answers plain data; what a page must not have,
 * such as the private key, has no command. The first page needs to know only whether this device has an account, so
 * everything else is loaded with the first other command.
 */
const store = openDeviceStore(indexedDB, { name: 'sealpost-person', version: 2, stores: [DRAFTS, OUTGOING, TURNS] })

serveCommands({
  first: ({ name }) => (name === 'sessionState' ? store.read().then(closedState) : null),
  load: async (settings, changed) => (await import('./full.ts')).openFull(settings, store, changed),
})
