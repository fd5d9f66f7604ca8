import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ServiceClient } from '@sealpost/sdk'
import { fileStore } from '@sealpost/sdk/file-store'

/** A simple consumer that may be killed at any time: it writes a line to a file for every change that it handles. */
const { FRONT_DOOR = '', CLIENT_ID = '', CLIENT_SECRET = '', STORE = '', HANDLED = '', FOLLOW = '' } = process.env

const client = new ServiceClient({ frontDoorUrl: FRONT_DOOR, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })
await client.whoami()
console.log('ready')
const pump = client.changes.pump({
  store: fileStore(STORE),
  follow: FOLLOW === '1',
  pollEveryMs: 20,
  limit: 7,
  async handle({ id }) {
    appendFileSync(HANDLED, `${id}\n`)
    // Leaves time for a kill between the effect and its record.
    await pause(1)
  },
  onPossibleLoss: () => {
    throw new Error('the last page was requested too long ago')
  },
})
console.log(JSON.stringify(await pump.run()))
