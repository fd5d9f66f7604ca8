import { setTimeout as pause } from 'node:timers/promises'
import { markStart, recordHandled } from './handled.ts'
import { importSdk } from './sdk-bundle.ts'

/** A backend that follows the feed with the SDK's pump. It may be killed at any time. */
const { FRONT_DOOR = '', CLIENT_ID = '', CLIENT_SECRET = '', STORE = '', HANDLED = '' } = process.env
const { ServiceClient } = await importSdk('index')
const { fileStore } = await importSdk('file-store')
const end = new AbortController()
process.once('SIGTERM', () => end.abort())

markStart(HANDLED)
const client = new ServiceClient({ frontDoorUrl: FRONT_DOOR, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })
const pump = client.changes.pump({
  store: fileStore(STORE),
  follow: true,
  signal: end.signal,
  pollEveryMs: 100,
  async handle({ id }) {
    recordHandled(HANDLED, id)
    // Leaves time for a kill between the effect and its record.
    await pause(1)
  },
  onTrouble: ({ during, error }) => console.log(`trouble while ${during}: ${String(error)}`),
  onPossibleLoss: () => console.log('possible loss'),
  onDeadLetter: ({ error }) => console.log(`dead letter: ${error.message}`),
})
await pump.run()
